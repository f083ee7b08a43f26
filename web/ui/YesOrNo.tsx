import { tableWords } from '../words/lists.ts'
import { DoneIcon } from './icons.tsx'

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
    <span className="row no-wrap gap-1 success">
      <DoneIcon size={14} /> {tableWords.yes}
    </span>
  ) : (
    <span className="muted">{tableWords.no}</span>
  )
