import { readCheck } from '../../extract/checks.ts'
import { checksOf } from '../../extract/checking-parts.ts'

/** Programs that put code into form: they check all files too. */
const FORMATS = /\b(?:fmt|format|prettier|black|gofmt)\b/

/** Whether a later change of a file may change what a command says. */
export const isCheck = (command: string): boolean =>
  checksOf(readCheck(command)).length > 0 || readCheck(command).parts.some((part) => FORMATS.test(part))
