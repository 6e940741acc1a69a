import { checksOf, readCheck } from '../../extract/checks.ts'

/** Programs that put code into form: they check all files too. */
const FORMATS = /\b(?:fmt|format|prettier|black|gofmt)\b/

/** Whether a later change of a file may change what a command says. */
export function isCheck(command: string): boolean {
  const check = readCheck(command)
  return checksOf(check).length > 0 || check.parts.some((part) => FORMATS.test(part))
}
