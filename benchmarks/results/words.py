"""Writes logs of the form of Inspect AI 0.3.285, of made-up words: about 5 kB for each sample, most of it events; or some times as much."""
import json
import random
import zipfile

WORDS = ["answer", "because", "capital", "city", "data", "each", "evaluate", "first", "given", "however", "is", "known", "list", "model",
         "number", "of", "question", "river", "say", "the", "therefore", "to", "value", "which", "with", "é", "\"quoted\"", "line\nbreak"]


def words(generator, count):
    return " ".join(generator.choices(WORDS, k=count))


def message(generator, role, text):
    return {"id": f"{generator.getrandbits(64):x}", "content": text, "role": role, **({"source": "input"} if role == "user" else
            {"source": "generate", "model": "mockllm/model"} if role == "assistant" else {})}


def sample(generator, number, times):
    """A sample of the form of Inspect AI 0.3.285, with the events that make up most of a log: each text is so many times as long."""
    question, answer = words(generator, 80 * times), words(generator, 60 * times)
    messages = [message(generator, "system", words(generator, 40 * times)), message(generator, "user", question), message(generator, "assistant", answer)]
    output = {"model": "mockllm/model", "choices": [{"message": messages[-1], "stop_reason": "stop"}], "completion": answer,
              "usage": {"input_tokens": 120, "output_tokens": 60, "total_tokens": 180}, "time": 0.25}
    value = generator.choice(["C", "I"])
    score = {"value": value, "answer": answer, "explanation": words(generator, 20), "history": []}
    events = [{"uuid": f"{generator.getrandbits(64):x}", "event": name, "timestamp": "2026-11-23T20:35:29.123456+00:00", "working_start": 0.01 * i,
               "pending": False, "data": {"name": name, "text": words(generator, 40 * times)}} for i, name in enumerate(["sample_init", "model", "score"])]
    return {"id": number, "epoch": 1, "input": question, "target": words(generator, 1), "metadata": {"topic": words(generator, 1), "level": number % 5},
            "messages": messages, "output": output, "scores": {"includes": score}, "store": {}, "events": events,
            "model_usage": {"mockllm/model": output["usage"]}, "total_time": 0.31, "working_time": 0.3, "uuid": f"{generator.getrandbits(64):x}",
            "error_retries": [], "attachments": {}}


def write(file, samples, times=1):
    generator = random.Random(1)
    unpacked = 0
    header = {"version": 2, "status": "success", "eval": {"eval_id": "e", "run_id": "r", "created": "2026-11-23T20:35:29+00:00", "task": "words",
              "task_version": 0, "dataset": {"name": "words", "samples": samples}, "model": "mockllm/model", "config": {"epochs": 1},
              "packages": {"inspect_ai": "0.3.285"}, "scorers": [{"name": "includes", "metrics": [{"name": "inspect_ai/accuracy"}]}]},
              "results": {"total_samples": samples, "completed_samples": samples, "scores": []}, "stats": {}}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=5) as archive:
        for number in range(1, samples + 1):
            text = json.dumps(sample(generator, number, times))
            unpacked += len(text)
            archive.writestr(f"samples/{number}_epoch_1.json", text)
        archive.writestr("header.json", json.dumps(header))
    return unpacked
