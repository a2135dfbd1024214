# SPDX-License-Identifier: MIT
# bash completion for pbmplay. What can follow the program itself says; here
# its answer is fitted to bash, which parts words at = and : where the program
# does not.
_pbmplay() {
  local rest=${COMP_LINE:0:COMP_POINT} blanks word own='' cut file named='' line text i
  local -a words=() files=()
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
  # A file is the whole word, but for the option it is the value of.
  file=${words[-1]}
  [[ $file == --*=* ]] && file=${file#*=}
  COMPREPLY=()
  while IFS= read -r line; do
    text=${line%%$'\t'*}
    case $line in
      :saves) mapfile -t files < <(compgen -d -- "$file"; compgen -f -X '!*.yaml' -- "$file") ;;
      :files) mapfile -t files < <(compgen -f -- "$file") ;;
      :directories) mapfile -t files < <(compgen -d -- "$file") ;;
      *) COMPREPLY+=("${text:${#cut}}") named+=$text ;;
    esac
    # Taken for names of files, bash would put a backslash before these signs of ours.
    [[ $line == :* && $named != *[:@=#]* ]] && compopt -o filenames
    [[ $text == *= ]] && compopt -o nospace
  done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
  COMPREPLY+=("${files[@]#"${file%"$own"}"}")
} 2>/dev/null
complete -F _pbmplay pbmplay
