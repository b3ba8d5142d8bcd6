"""How much one file may cost: handed from the settings to the parsers and to their sandbox."""

from core.domain import Value

MEBIBYTE = 1024 * 1024
PATIENCE = 4.0  # times its seconds a file may take by the clock, on a machine that others keep busy


class Limits(Value):
    """Bounds for one file, and by what its sound is read. Seconds are of work; sizes mebibytes."""

    seconds: float = 120.0
    memory_mb: int = 2048
    file_mb: int = 512
    pages: int = 3000
    pixels: int = 100_000_000
    unpacked_mb: int = 1024
    nesting: int = 4
    output_mb: int = 256
    frames: int = 60  # pictures read out of one recording
    ocr_pages: int = 40  # pages without text that are read by OCR in one document
    pictures: int = 0  # of a document that are handed on to be described, 0 where no model sees
    audio_model: str = ""  # folder of the model that transcribes speech, empty where there is none

    def deeper(self) -> "Limits":
        """Return the same limits for a file inside this one."""
        return self.model_copy(update={"nesting": self.nesting - 1})


USUAL = Limits()
