@rem npm scripts start servers with `exec node ...` so that a signal to npm reaches Node and not a shell (docs/gotchas.md).
@rem cmd.exe has no exec, and looks for one here first.
@%*
