import type { Scenario } from './scenario.ts'
import { CLAUDE_CODE } from './scenarios/claude-code.ts'
import { CODEX } from './scenarios/codex.ts'
import { GEMINI_AND_QWEN } from './scenarios/gemini-and-qwen.ts'
import { OPENCODE } from './scenarios/opencode.ts'
import { OTHERS } from './scenarios/others.ts'

/** All sessions of `test/fixtures/states/`. */
export const SCENARIOS: readonly Scenario[] = [...CLAUDE_CODE, ...CODEX, ...OPENCODE, ...GEMINI_AND_QWEN, ...OTHERS]
