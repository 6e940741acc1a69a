# Letta, with letta-client 1.12: Précis writes the summaries of an agent's older messages. Not run.
# The setting: a provider with the address of Précis, and `compaction_settings.model`: precis/ and a name of GET /v1/models.
# To run it: pip install letta-client && LETTA_URL=http://127.0.0.1:8283 python letta.py
import os

from letta_client import Letta

client = Letta(base_url=os.environ["LETTA_URL"])
client.providers.create(name="precis", provider_type="openai", base_url="http://127.0.0.1:8080/v1", api_key="TOKEN")
agent = client.agents.create(
    model="anthropic/claude-sonnet-4-5",
    compaction_settings={"mode": "sliding_window", "model": "precis/embedded"},
)
print(agent.id)
