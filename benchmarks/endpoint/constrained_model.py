"""A small real model behind an OpenAI-compatible endpoint that holds each reply to the JSON Schema which stands in the prompt.

Hosted endpoints do this by `response_format`; a model of 135 million parameters writes no valid JSON without it.
Usage: constrained_model.py MODEL.gguf; prints its address. One request at a time: others wait.
"""
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from llama_cpp import Llama, LlamaGrammar

ANNOUNCES_SCHEMA = "valid against this JSON Schema"
model = Llama(sys.argv[1], n_ctx=8192, chat_format="chatml", verbose=False)
one_at_a_time = threading.Lock()


def bounded(schema):
    """The schema with at most two texts of each list, and no text but short ones: a small model ends no list by itself."""
    if isinstance(schema, dict):
        schema = {key: bounded(value) for key, value in schema.items()}
        if schema.get("type") == "array":
            schema.setdefault("minItems", 1)
            schema.setdefault("maxItems", 2)
        if schema.get("type") == "string" and "enum" not in schema:
            schema["maxLength"] = 120
        if schema.get("type") == "number":
            low, high = int(schema["minimum"]), int(schema["maximum"])
            return {"enum": list(range(low, high + 1))}
    return schema


def grammar(prompt):
    """A grammar of the last JSON Schema that the prompt announces; None where it announces none."""
    start = prompt.rfind(ANNOUNCES_SCHEMA)
    brace = prompt.find("{", start)
    if start < 0 or brace < 0:
        return None
    schema, _ = json.JSONDecoder().raw_decode(prompt[brace:])
    return LlamaGrammar.from_json_schema(json.dumps(bounded(schema)), verbose=False)


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        with one_at_a_time:
            begin = time.monotonic()
            answer = model.create_chat_completion(
                messages=request["messages"],
                max_tokens=request.get("max_tokens", 1024),
                temperature=request.get("temperature", 0),
                seed=request.get("seed", 1),
                grammar=grammar(request["messages"][-1]["content"]),
            )
            print(f"{time.monotonic() - begin:.1f} s, {answer['usage']}", file=sys.stderr, flush=True)
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/v1", flush=True)
server.serve_forever()
