import type { CallError } from '../api.ts'
import { codeWords } from '../words/codes.ts'
import { pieceWords } from '../words/pieces.ts'

/** Returns the message for a wrong password or code; undefined for any other refusal. */
export function explainWrongPassword({ code, reason }: CallError) {
  if (reason === 'code_wrong') return codeWords.wrong
  return code === 'invalid_credentials' ? pieceWords.freshProof.wrong : undefined
}
