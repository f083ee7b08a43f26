import { shellWords } from '../words/shell.ts'
import { useAccount } from './current.ts'

/** The account whose program it is, next to the heading of a partner's screen. */
export const ProgramName = () => (
  <span className="muted wrap">{shellWords.header.program({ account: useAccount().displayName })}</span>
)
