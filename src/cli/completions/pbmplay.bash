# SPDX-License-Identifier: MIT
# bash completion for pbmplay. What can follow the program itself says; here
# its answer is fitted to bash, which parts words at = and : where the program
# does not.
_pbmplay() {
  local rest=${COMP_LINE:0:COMP_POINT} blanks word own='' cut line text i
  local -a words=()
  for ((i = 0; i <= COMP_CWORD; i++)); do
    blanks=${rest%%[![:blank:]]*}
    rest=${rest#"$blanks"}
    word=${COMP_WORDS[i]}
    ((i == COMP_CWORD)) && word=$rest own=$rest
    rest=${rest#"$word"}
    if [[ ${#words[@]} -eq 0 || -n $blanks ]]; then words+=("$word"); else words[-1]+=$word; fi
  done
  # What of the last word stands before the part that bash wants replaced.
  [[ $own == [=:] ]] && own=''
  cut=${words[-1]%"$own"}
  COMPREPLY=()
  while IFS= read -r line; do
    text=${line%%$'\t'*}
    case $line in
      :saves) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$own"; compgen -f -X '!*.yaml' -- "$own") ;;
      :files) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$own") ;;
      :directories) mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$own") ;;
      *) COMPREPLY+=("${text:${#cut}}") ;;
    esac
    [[ $line == :* ]] && compopt -o filenames
    [[ $text == *= ]] && compopt -o nospace
  done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
} 2>/dev/null
complete -F _pbmplay pbmplay
