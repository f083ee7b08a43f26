import { shellWords } from '../words/shell.ts'
import { useAccount } from './current.ts'
import styles from './Shell.module.css'

/** The account whose program it is, next to the heading of a partner's screen. */
export const ProgramName = () => (
  <span className={styles.program}>{shellWords.header.program({ account: useAccount().displayName })}</span>
)
