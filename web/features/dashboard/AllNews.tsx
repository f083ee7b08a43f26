import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type PartnerAnnouncement, readAnnouncements } from '#features/announcements/contract.ts'
import { useCall } from '../../calls.ts'
import { formatDateAt } from '../../format.ts'
import { Prose } from '../../shared/Prose.tsx'
import { ShowMore } from '../../shared/ShowMore.tsx'
import { useAccount, usePartnerRole } from '../../shell/current.ts'
import { ProgramName } from '../../shell/ProgramName.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty } from '../../ui/Panel.tsx'
import { PendingPanel } from '../../ui/PendingPanel.tsx'
import { newsWords as words } from '../../words/announcements.ts'
import { allNewsQuery } from './news-queries.ts'

/** All news for the partner, the newest first; opening them marks them as read. */
export function AllNews() {
  const { partnerId } = usePartnerRole()
  const { timeZone } = useAccount()
  const answer = useInfiniteQuery(allNewsQuery(partnerId))
  const { mutate } = useCall(readAnnouncements)
  const [newest] = answer.data?.pages[0]?.items ?? []
  const unread = newest?.readAt === null ? newest.id : undefined
  useEffect(() => {
    if (unread !== undefined) mutate({ params: { id: partnerId }, body: { upTo: unread } })
  }, [mutate, partnerId, unread])
  return (
    <Page heading={words.heading} badge={<ProgramName />}>
      <PendingPanel heading={words.all} answer={answer} rows={8}>
        {({ pages }) =>
          newest ? (
            <>
              <ul className="items">
                {pages
                  .flatMap(({ items }) => items)
                  .map((note) => (
                    <li key={note.id} className="stack gap-2">
                      <NoteText {...note} timeZone={timeZone} />
                    </li>
                  ))}
              </ul>
              <ShowMore answer={answer}>{words.more}</ShowMore>
            </>
          ) : (
            <Empty hint={words.none} />
          )
        }
      </PendingPanel>
    </Page>
  )
}

type TextProps = PartnerAnnouncement & { timeZone: string }

/** The text of a note, with the day on which it was sent. */
const NoteText = ({ subject, body, language, createdAt, timeZone }: TextProps) => (
  <>
    <div className="row between">
      <h3 lang={language} className="wrap">
        {subject}
      </h3>
      <small className="muted">{formatDateAt(createdAt, timeZone)}</small>
    </div>
    <Prose text={body} lang={language} />
  </>
)
