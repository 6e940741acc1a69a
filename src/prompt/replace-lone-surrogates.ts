/** Puts U+FFFD in the place of surrogates without a partner: they make a JSON body that servers refuse. */
export function replaceLoneSurrogates(text: string): string {
  // With the flag `u`, a surrogate that is part of a pair is no character of its own and does not match.
  return text.replace(/\p{Surrogate}/gu, '\uFFFD')
}
