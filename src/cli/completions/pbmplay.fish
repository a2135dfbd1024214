# SPDX-License-Identifier: MIT
# fish completion for pbmplay. The program itself knows what can follow.
function __pbmplay_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    # A file follows --option=, and is offered with it.
    set -l option (string match -r '^--[^=]*=' -- $last)
    set -l value (string replace -r '^--[^=]*=' '' -- $last)
    for line in ($words[1] complete $words[2..] "$last" 2>/dev/null)
        switch $line
            case ':saves'
                __fish_complete_path "$last" | string match -r '.*(?:/|[.]yaml)(?:\t.*)?$'
            case ':files'
                printf "%s\n" "$option"(__fish_complete_path "$value")
            case ':directories'
                printf "%s\n" "$option"(__fish_complete_directories "$value")
            case '*'
                echo $line
        end
    end
end
complete -c pbmplay -f -a '(__pbmplay_complete)'
