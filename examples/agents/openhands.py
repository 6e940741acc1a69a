# OpenHands' software agent SDK 1: its condenser calls Précis, and its agent another model. Not run.
# The setting: `base_url` of the condenser's own LLM; `api_key` is a service token, or any text.
# To run it: pip install openhands-sdk openhands-tools && LLM_API_KEY=... python openhands.py
import os

from openhands.sdk import LLM, Agent, Conversation, Tool
from openhands.sdk.context.condenser import LLMSummarizingCondenser
from openhands.tools.terminal import TerminalTool

precis = LLM(usage_id="condenser", model="openai/precis", base_url="http://127.0.0.1:8080/v1", api_key="TOKEN")
llm = LLM(usage_id="agent", model="anthropic/claude-sonnet-4-5", api_key=os.environ["LLM_API_KEY"])
condenser = LLMSummarizingCondenser(llm=precis, max_size=240, keep_first=2)
agent = Agent(llm=llm, tools=[Tool(name=TerminalTool.name)], condenser=condenser)

conversation = Conversation(agent=agent, workspace=os.getcwd())
conversation.send_message("Find the slowest test of this project.")
conversation.run()
