# SPDX-License-Identifier: MIT
# bash completion for pbmplay. The program itself knows what can follow. This
# function adapts its answer to bash, which splits words at = and :, unlike the
# program.
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
  # `cut` is the start of the last word, before the part that bash replaces.
  [[ $own == [=:] ]] && own=''
  cut=${words[-1]%"$own"}
  # A file is the whole word, or the value of an option.
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
    # If bash took the candidates for files, it would put backslashes before these characters.
    [[ $line == :* && $named != *[:@=#]* ]] && compopt -o filenames
    [[ $text == *= ]] && compopt -o nospace
  done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
  COMPREPLY+=("${files[@]#"${file%"$own"}"}")
} 2>/dev/null
complete -F _pbmplay pbmplay
