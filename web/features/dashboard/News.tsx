import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { readAnnouncements } from '#contract/announcements.ts'
import { useAccount } from '../../shell/current.ts'
import { Button } from '../../ui/Button.tsx'
import { CallButton } from '../../ui/CallButton.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { focusHeading } from '../../ui/Page.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { newsWords as words } from '../../words/announcements.ts'
import { NoteText } from './NoteText.tsx'
import { latestNewsQuery } from './news-queries.ts'

const AllNews = lazyComponent(async () => (await import('./AllNews.tsx')).AllNews)

type Props = { partnerId: string }

/** The newest note until the partner closes it, with those before; then only the way to all of them. */
export function News({ partnerId }: Props) {
  const { timeZone } = useAccount()
  const [showsAll, setShowsAll] = useState(false)
  const [note] = useQuery(latestNewsQuery(partnerId)).data?.items ?? []
  if (!note) return null
  const all = (
    <Button small onClick={() => setShowsAll(true)}>
      {words.all}
    </Button>
  )
  return (
    <>
      {note.readAt === null ? (
        <Panel heading={words.heading} aside={all}>
          <article className="stack gap-2 inset">
            <NoteText {...note} timeZone={timeZone} />
            <div>
              {/* the panel goes with the note */}
              <CallButton
                small
                call={readAnnouncements}
                input={{ params: { id: partnerId }, body: { upTo: note.id } }}
                done={() => focusHeading({ preventScroll: true })}
              >
                {words.close}
              </CallButton>
            </div>
          </article>
        </Panel>
      ) : (
        <div>{all}</div>
      )}
      {showsAll && <AllNews partnerId={partnerId} onClose={() => setShowsAll(false)} />}
    </>
  )
}
