"""Changes a library to the embedding model its settings name, in its own process that may be killed.

It says "open" first and "done" at the end; the settings come by the environment.
"""

import sys

from core.bootstrap import build
from core.settings import Settings


def main() -> None:
    assistant = build(Settings.load(), warm=False)
    sys.stdout.write("open\n")
    sys.stdout.flush()
    change = assistant.library.reembedding
    if change is not None:
        change.start()
        change.wait(120)
    sys.stdout.write("done\n")
    sys.stdout.flush()
    assistant.close()


if __name__ == "__main__":
    main()
