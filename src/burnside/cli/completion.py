"""``burnside completion``: scripts that make shells complete commands, options and their values."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TypeAlias

from burnside.cli.exits import Exit

_EXAMPLES = """\
examples:
  burnside completion bash > ~/.local/share/bash-completion/completions/burnside
  burnside completion zsh  > ~/.burnside-completion.zsh    # then, in ~/.zshrc: source ~/.burnside-completion.zsh
  burnside completion fish > ~/.config/fish/completions/burnside.fish
"""

# For every chain of commands, such as "pattern check": its options with their values, and the words that may follow.
Options: TypeAlias = dict[str, tuple[str, ...]]
Commands: TypeAlias = dict[str, tuple[Options, tuple[str, ...]]]


def add_completion(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """``burnside completion SHELL``: print the script of a shell."""
    parser = commands.add_parser(
        "completion",
        help="print a script that makes a shell complete commands and options",
        description="Print a script for a shell. It knows the options of this version; files are completed as usual.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("shell", choices=("bash", "zsh", "fish"), help="which shell")
    parser.set_defaults(run=run_completion)


def run_completion(arguments: argparse.Namespace) -> Exit:
    """Print the script."""
    from burnside.cli.main import whole_parser  # which imports this module

    commands = dict(_walk(whole_parser(), ""))
    lines = _fish(commands) if arguments.shell == "fish" else _bash(commands, is_zsh=arguments.shell == "zsh")
    print("\n".join(lines))
    return Exit.DONE


def _walk(parser: argparse.ArgumentParser, chain: str) -> Iterator[tuple[str, tuple[Options, tuple[str, ...]]]]:
    """A parser and those of its sub-commands."""
    options: Options = {}
    words: tuple[str, ...] = ()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            words = tuple(action.choices)
            for name, child in action.choices.items():
                yield from _walk(child, f"{chain} {name}".strip())
        elif action.option_strings:
            values = tuple(map(str, action.choices or ()))
            options |= {option: values for option in action.option_strings if option.startswith("--") or not values}
        elif action.choices:
            words = tuple(map(str, action.choices))
    yield chain, (options, words)


# ---------------------------------------------------------------- scripts


def _bash(commands: Commands, *, is_zsh: bool) -> Iterator[str]:
    """Bash; zsh understands the same words after a line of its own."""
    if is_zsh:
        yield "autoload -Uz bashcompinit && bashcompinit"
    yield "_burnside() {"
    yield '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" chain="" words="" k'
    yield "    for ((k = 1; k < COMP_CWORD; k++)); do"
    yield '        case "$chain:${COMP_WORDS[k]}" in'
    for chain in sorted(commands):
        if chain:
            outer, _, name = chain.rpartition(" ")
            yield f'            "{outer}:{name}") chain="{chain}" ;;'
    yield "        esac"
    yield "    done"
    yield '    case "$chain:$before" in'
    for chain, (options, _) in sorted(commands.items()):
        for option, values in options.items():
            if values:
                yield f'        "{chain}:{option}") words="{" ".join(values)}" ;;'
    yield '        *) case "$chain" in'
    for chain, (options, following) in sorted(commands.items()):
        yield f'            "{chain}") words="{" ".join((*following, *options))}" ;;'
    yield "        esac ;;"
    yield "    esac"
    yield '    COMPREPLY=($(compgen -W "$words" -- "$word"))'
    yield "}"
    yield "complete -o default -F _burnside burnside"


def _fish(commands: Commands) -> Iterator[str]:
    for chain, (options, following) in sorted(commands.items()):
        seen = " ".join(f"; and __fish_seen_subcommand_from {name}" for name in chain.split())
        condition = seen.removeprefix("; and ") or "__fish_use_subcommand"
        if following and not chain:
            yield f"complete -c burnside -f -n '{condition}' -a '{' '.join(following)}'"
        elif following:
            fresh = f"{condition}; and not __fish_seen_subcommand_from {' '.join(following)}"
            yield f"complete -c burnside -f -n '{fresh}' -a '{' '.join(following)}'"
        for option, values in options.items():
            name = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            exact = f" -x -a '{' '.join(values)}'" if values else ""
            yield f"complete -c burnside -n '{condition}' {name}{exact}"
