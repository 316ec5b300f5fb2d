"""Makes logs with the real tools and mock models; no service is asked. Run by benchmarks/results/run, in the tools' own environment.

make-logs.py DIRECTORY PROMPTFOO
"""
import json
import os
import subprocess
import sys
from pathlib import Path

CAPITALS = {"France": "Paris", "Chad": "N'Djamena", "Peru": "Lima", "Norway": "Oslo", "Japan": "Tokyo", "Kenya": "Nairobi"}


def inspect_logs(directory):
    """Two models on one data set, with repeats, several scorers, a tool call, a refused sample and a NaN; and one log as JSON."""
    from inspect_ai import Task, eval as evaluate
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import Score, accuracy, includes, match, mean, scorer, stderr
    from inspect_ai.solver import generate, solver

    @scorer(metrics=[mean(), stderr()])
    def length():
        async def score(state, target):
            text = state.output.completion
            return Score(value=float("nan") if "Lima" in text else min(1.0, len(text) / 20), explanation=f"{len(text)} characters")
        return score

    @solver
    def failing():
        async def solve(state, generate):
            if state.sample_id == "japan":
                raise RuntimeError("The tool is away")
            return state
        return solve

    def task(metadata):
        return Task(
            dataset=[Sample(id=country.lower(), input=f"Capital of {country}?", target=city, metadata={"country": country})
                     for country, city in CAPITALS.items()],
            solver=[failing(), generate()], scorer=[includes(), match(), length()], name="capitals", metadata=metadata)

    for name, right, log_format in (("careful", 5, "eval"), ("hasty", 3, "eval"), ("plain", 4, "json")):
        answers = [f"It is {city}" if i % 6 < right else "I do not know" for i, city in enumerate(list(CAPITALS.values()) * 4)]
        outputs = [ModelOutput.from_content("mockllm/" + name, answer) for answer in answers]
        for output in outputs:
            # Without it the mock model counts tokens, for which it asks the network.
            output.usage = ModelUsage(input_tokens=8, output_tokens=4, total_tokens=12)
        model = get_model("mockllm/" + name, custom_outputs=outputs)
        evaluate(task({"by": name}), model=model, epochs=2, log_dir=str(directory / name), log_format=log_format, display="none",
                 max_samples=1, fail_on_error=False, score_display=False)


def promptfoo_results(directory, program):
    directory.mkdir(parents=True)
    (directory / "answer.js").write_text(
        "module.exports = class { id() { return 'answer'; } async callApi(prompt) {\n"
        "  if (prompt.includes('Japan')) return { error: 'The tool is away' };\n"
        "  const said = prompt.includes('Peru') ? 'It is Cusco' : 'It is ' + " + json.dumps(CAPITALS) +
        "[prompt.match(/of (\\w+)/)[1]];\n"
        "  return { output: said, tokenUsage: { total: 12, prompt: 8, completion: 4 }, cost: 0.0001 }; } };\n")
    (directory / "promptfooconfig.json").write_text(json.dumps({
        "prompts": ["Capital of {{country}}?", "Say the capital of {{country}}."], "providers": ["file://answer.js", "echo"],
        "tests": [{"description": country, "vars": {"country": country}, "assert": [
            {"type": "contains", "value": city, "metric": "right"},
            {"type": "assert-set", "threshold": 0.5, "assert": [{"type": "icontains", "value": city}, {"type": "regex", "value": "^It is"}]}]}
            for country, city in CAPITALS.items()]}))
    environment = os.environ | {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1", "PROMPTFOO_CONFIG_DIR": str(directory / "home"),
                                "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1", "PROMPTFOO_DISABLE_SHARING": "1"}
    done = subprocess.run([program, "eval", "-c", "promptfooconfig.json", "-o", "results.json", "--no-cache", "--no-table", "--no-write",
                           "--repeat", "2", "-j", "1"], cwd=directory, env=environment, capture_output=True, text=True)
    if not (directory / "results.json").exists():
        sys.exit(f"promptfoo failed:\n{done.stdout}\n{done.stderr}")


def harness_samples(directory):
    """The model `dummy` of the harness says "lol" to everything, and picks at random."""
    tasks = directory / "tasks"
    tasks.mkdir(parents=True)
    (tasks / "sums.jsonl").write_text("".join(json.dumps({"q": f"{i} + {i} =", "a": "lol" if i % 4 else str(2 * i),
                                                         "c": [str(2 * i), str(2 * i + 1), "none"]}) + "\n" for i in range(8)))
    common = f"dataset_path: json\ndataset_kwargs:\n  data_files: {tasks}/sums.jsonl\ntest_split: train\n"
    (tasks / "sums.yaml").write_text(
        "task: sums\n" + common + "output_type: generate_until\nrepeats: 2\ndoc_to_text: '{{q}}'\ndoc_to_target: '{{a}}'\n"
        "filter_list:\n  - name: first\n    filter:\n      - {function: take_first}\n"
        "  - name: digits\n    filter:\n      - {function: regex, regex_pattern: '([0-9]+)'}\n      - {function: take_first}\n"
        "metric_list:\n  - {metric: exact_match, aggregation: mean, higher_is_better: true}\n")
    (tasks / "pick.yaml").write_text(
        "task: pick\n" + common + "output_type: multiple_choice\ndoc_to_text: '{{q}}'\ndoc_to_choice: '{{c}}'\ndoc_to_target: 0\n"
        "metric_list:\n  - {metric: acc, aggregation: mean, higher_is_better: true}\n  - {metric: acc_norm, aggregation: mean, higher_is_better: true}\n")
    from lm_eval.__main__ import cli_evaluate
    sys.argv = ["lm_eval", "run", "--model", "dummy", "--model_args", "pretrained=example/dummy", "--tasks", "sums,pick", "--include_path", str(tasks), "--output_path", str(directory / "out"),
                "--log_samples"]
    cli_evaluate()


def main():
    directory, program = Path(sys.argv[1]), sys.argv[2]
    inspect_logs(directory / "inspect")
    promptfoo_results(directory / "promptfoo", program)
    harness_samples(directory / "lm-eval")


main()
