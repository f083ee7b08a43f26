import { tableWords } from '../words/lists.ts'
import { DoneIcon } from './icons.tsx'
import styles from './YesOrNo.module.css'

type Props = {
  yes: boolean
  /** Neither yes nor no is good or bad. */
  neutral?: boolean
}

/** Yes or no in a list: yes stands out, no is muted. */
export const YesOrNo = ({ yes, neutral }: Props) =>
  yes && neutral ? (
    tableWords.yes
  ) : yes ? (
    <span className={styles.yes}>
      <DoneIcon size={14} /> {tableWords.yes}
    </span>
  ) : (
    <span className={styles.no}>{tableWords.no}</span>
  )
