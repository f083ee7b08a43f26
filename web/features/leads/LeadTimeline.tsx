import { useInfiniteQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { LeadEvent } from '#contract/leads.ts'
import { formatShortDate, formatTime } from '../../format.ts'
import { ShowMore } from '../../shared/ShowMore.tsx'
import type { Tone } from '../../ui/Badge.tsx'
import {
  AccountIcon,
  BackIcon,
  CopyIcon,
  FlagIcon,
  LeadsIcon,
  LinksIcon,
  NoteIcon,
  PartnersIcon,
  PayoutsIcon,
  WarningIcon,
} from '../../ui/icons.tsx'
import { Empty, Panel } from '../../ui/Panel.tsx'
import { PathLink } from '../../ui/PathLink.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { Timeline } from '../../ui/Timeline.tsx'
import { fieldWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import styles from './Leads.module.css'
import { leadEventsQuery } from './queries.ts'

type Look = { icon: ComponentType<{ size?: number }>; tone: Tone }

const looks: Record<string, Look> = {
  click: { icon: LinksIcon, tone: 'waits' },
  lead: { icon: LeadsIcon, tone: 'waits' },
  status: { icon: FlagIcon, tone: 'moves' },
  note: { icon: NoteIcon, tone: 'waits' },
  reassigned: { icon: PartnersIcon, tone: 'moves' },
  duplicate: { icon: CopyIcon, tone: 'needs' },
  sale: { icon: PayoutsIcon, tone: 'done' },
  refund: { icon: BackIcon, tone: 'failed' },
  dispute: { icon: WarningIcon, tone: 'needs' },
  payout: { icon: AccountIcon, tone: 'moves' },
  event: { icon: WarningIcon, tone: 'needs' },
}

/** A lead's history: clicks, moves, sales, refunds and payouts, each with its actor. */
export const LeadTimeline = ({ leadId, timeZone }: { leadId: string; timeZone: string }) => (
  <Panel heading={leadWords.timeline.heading}>
    <LeadEvents leadId={leadId} label={leadWords.timeline.heading} timeZone={timeZone} />
  </Panel>
)

/** The history without its panel, for screens that show two of them. */
export function LeadEvents({ leadId, label, timeZone }: { leadId: string; label: string; timeZone: string }) {
  const answer = useInfiniteQuery(leadEventsQuery(leadId))
  const events = answer.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      {!events && <Pending answer={answer} rows={5} />}
      {events?.length === 0 && <Empty hint={leadWords.timeline.empty} />}
      {events && events.length > 0 && (
        <Timeline
          label={label}
          events={events.map((event) => shown(event, timeZone))}
          dayOf={(at) => formatShortDate(at, timeZone)}
        />
      )}
      <ShowMore answer={answer}>{leadWords.timeline.more}</ShowMore>
    </>
  )
}

/**
 * A note has its text and author in the body; every other event has its text as the title, and actor and time below.
 */
function shown({ at, type, actor, text, link }: LeadEvent, timeZone: string) {
  const look = looks[type] ?? { icon: NoteIcon, tone: 'waits' as const }
  const when = formatTime(at, timeZone)
  const by = actor ? leadWords.timeline.by({ actor, when }) : when
  if (type === 'note') return { ...look, at, title: fieldWords.note, text: <Note text={text} by={by} /> }
  return { ...look, at, title: link ? <PathLink path={link}>{text}</PathLink> : text, text: by }
}

const Note = ({ text, by }: { text: string; by: string }) => (
  <>
    <span className={styles.note}>“{text}”</span> {by}
  </>
)
