/** The completion scripts for bash, zsh and fish, generated from the completion table. */
import { type Candidate, type CompletionTable, completionTable } from './completion.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type CompletionShell = (typeof shells)[number];

export const isShell = (text: string): text is CompletionShell =>
  (shells as readonly string[]).includes(text);

export const completionScript = (shell: CompletionShell): string =>
  ({ bash: bashScript, zsh: zshScript, fish: fishScript })[shell](completionTable());

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const indent = (lines: string[], depth: number): string =>
  lines.map((line) => `${' '.repeat(depth)}${line}`).join('\n');

/** Reads a word of the command line: the value of the flag before it, a flag, a word of the command, or another. For bash and zsh. */
const readWord = ({
  bareFlags,
  next,
}: CompletionTable): string => `    if [ "$word" = '=' ]; then continue; fi
    if [ -n "$flag" ]; then
      flag=''
      continue
    fi
    case $word in
      -h | --*=* | ${bareFlags.join(' | ')}) ;;
      -*) flag=$word ;;
      *)
        case "$at\${at:+ }$word" in
          ${[...next.keys()].map(quote).join(' | ')}) at="$at\${at:+ }$word" ;;
        esac
        ;;
    esac`;

/** Sets \`candidates\`, or \`files\` where the name of a file comes next. For bash and zsh. */
const findCandidates = ({
  next,
  fileOperands,
  values,
  fileFlags,
}: CompletionTable): string => `  if [ -n "$flag" ]; then
    case $flag in
      ${fileFlags.join(' | ')}) files=yes ;;
    esac
    case "$at $flag" in
${indent(
  [...values].map(([path, words]) => `${quote(path)}) candidates=${quote(words.join(' '))} ;;`),
  6,
)}
    esac
  else
    case $at in
      ${fileOperands.map(quote).join(' | ')}) files=yes ;;
    esac
    case $at in
${indent(
  [...next].map(
    ([path, words]) => `${quote(path)}) candidates=${quote(words.map(({ word }) => word).join(' '))} ;;`,
  ),
  6,
)}
    esac
  fi`;

/** Where the name of a file comes next, readline completes it, because it knows quotes and ~. */
const bashScript = (
  table: CompletionTable,
): string => `# Completes the commands of drawbridge in bash. To load it: source <(drawbridge completion bash)
_drawbridge() {
  local at='' flag='' files='' candidates='' current=\${COMP_WORDS[COMP_CWORD]} word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
${readWord(table)}
  done
  if [ "$current" = '=' ]; then current=''; fi
${findCandidates(table)}
  if [ -n "$files" ] && [[ $current != -* ]]; then
    candidates=''
    compopt -o default
  fi
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -F _drawbridge drawbridge`;

/** zsh reserves the names \`words\` and \`path\`. */
const zshScript = (table: CompletionTable): string => `#compdef drawbridge
# Completes the commands of drawbridge in zsh. To load it: source <(drawbridge completion zsh)
_drawbridge() {
  local at='' flag='' files='' candidates='' word
  for word in "\${(@)words[2,CURRENT-1]}"; do
${readWord(table)}
  done
${findCandidates(table)}
  if [ -n "$files" ]; then _files; fi
  compadd -- \${=candidates}
}
if [ "\${funcstack[1]}" = _drawbridge ]; then
  _drawbridge "$@"
else
  compdef _drawbridge drawbridge
fi`;

/** fish knows only these two escapes between single quotes. */
const quoteForFish = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;

const fishCase = (path: string, ...lines: string[]): string =>
  [`        case ${quoteForFish(path)}`, ...lines.map((line) => `            ${line}`)].join('\n');

/** Prints the words of the command before the cursor, and the flag whose value comes next. */
const fishPosition = ({ next, bareFlags }: CompletionTable): string => `function __drawbridge_position
    set -l at
    set -l flag ''
    for word in (commandline -opc)[2..-1]
        if test -n "$flag"
            set flag ''
            continue
        end
        switch $word
            case -h '--*=*' ${bareFlags.join(' ')}
            case '-*'
                set flag $word
            case '*'
                if contains -- (string trim "$at $word") ${[...next.keys()].map(quoteForFish).join(' ')}
                    set -a at $word
                end
        end
    end
    printf '%s\\n' "$at" "$flag"
end`;

/** fish completes the names of files itself, because it knows quotes and ~. */
const fishNeedsFile = ({
  fileFlags,
  fileOperands,
}: CompletionTable): string => `function __drawbridge_needs_file
    set -l position (__drawbridge_position)
    if test -n "$position[2]"
        contains -- $position[2] ${fileFlags.join(' ')}
    else
        contains -- "$position[1]" ${fileOperands.map(quoteForFish).join(' ')}
    end
end`;

const fishValues = ({ values }: CompletionTable): string => `    if test -n "$position[2]"
        switch "$position"
${[...values].map(([path, words]) => fishCase(path, `printf '%s\\n' ${words.join(' ')}`)).join('\n')}
        end
        return
    end`;

const fishWord = ({ word, says }: Candidate): string => `printf '%s\\t%s\\n' ${word} ${quoteForFish(says)}`;

const fishScript = (
  table: CompletionTable,
): string => `# Completes the commands of drawbridge in fish. To load it: drawbridge completion fish | source
${fishPosition(table)}
${fishNeedsFile(table)}
function __drawbridge_complete
    set -l position (__drawbridge_position)
${fishValues(table)}
    switch "$position[1]"
${[...table.next].map(([path, words]) => fishCase(path, ...words.map(fishWord))).join('\n')}
    end
end
complete -c drawbridge -f -a '(__drawbridge_complete)'
complete -c drawbridge -n __drawbridge_needs_file -F`;
