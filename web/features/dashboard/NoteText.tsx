import type { PartnerAnnouncement } from '#features/announcements/contract.ts'
import { formatDateAt } from '../../format.ts'
import { Prose } from '../../shared/Prose.tsx'

type TextProps = PartnerAnnouncement & { timeZone: string }

/** The text of a note, with the day on which it was sent. */
export const NoteText = ({ subject, body, createdAt, timeZone }: TextProps) => (
  <>
    <div className="row between">
      <h3 className="wrap">{subject}</h3>
      <small className="muted">{formatDateAt(createdAt, timeZone)}</small>
    </div>
    <Prose text={body} />
  </>
)
