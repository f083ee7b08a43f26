import { useQuery } from '@tanstack/react-query'
import type { Lead } from '#contract/leads.ts'
import { reassignLead } from '#contract/sales.ts'
import { useCall } from '../../calls.ts'
import { formatLongDateTime } from '../../format.ts'
import { ToLead } from '../../shared/links.tsx'
import { leadQuery as leadOf } from '../../shared/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Message } from '../../ui/Message.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { Pending } from '../../ui/Pending.tsx'
import { PlainTable } from '../../ui/PlainTable.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { showToast } from '../../ui/toasts.ts'
import { fieldWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import { toastWords } from '../../words/shell.ts'
import { LeadEvents } from './LeadTimeline.tsx'
import { leadDuplicatesQuery } from './queries.ts'
import { sourceLabel } from './words.ts'

type Props = { lead: Lead; timeZone: string; readOnly: boolean }

/** A lead registered by two partners: both registrations, what happened since, and the decision for the later one. */
export function RegisteredTwice({ lead, timeZone, readOnly }: Props) {
  if (lead.status !== 'duplicate') return readOnly ? null : <Later first={lead} timeZone={timeZone} />
  if (readOnly) return <Message kind="warning">{leadWords.duplicate.whyPartner}</Message>
  if (!lead.duplicateOfId) return null
  return <Earlier firstId={lead.duplicateOfId} lead={lead} timeZone={timeZone} />
}

/** True on the page of the later registration: both timelines are shown side by side, so the context needs none. */
export const showsBoth = ({ status, duplicateOfId }: Lead, readOnly: boolean) =>
  !readOnly && status === 'duplicate' && duplicateOfId !== null

/** Shown on the page of the later registration. */
function Earlier({ firstId, lead, timeZone }: { firstId: string; lead: Lead; timeZone: string }) {
  const answer = useQuery(leadOf(firstId))
  const heading = leadWords.duplicate.heading
  if (answer.data) return <Both heading={heading} first={answer.data} later={lead} here="later" timeZone={timeZone} />
  return (
    <Panel heading={heading}>
      <Pending answer={answer} rows={3} />
    </Panel>
  )
}

/** Shown on the page of the first registration: one panel per later partner. */
function Later({ first, timeZone }: { first: Lead; timeZone: string }) {
  const { data } = useQuery(leadDuplicatesQuery(first.accountId, first.id))
  return data?.items.map((later) => (
    <Both
      key={later.id}
      heading={leadWords.duplicate.headingBy({ partner: nameOf(later) })}
      first={first}
      later={later}
      here="first"
      timeZone={timeZone}
    />
  ))
}

type BothProps = { heading: string; first: Lead; later: Lead; here: 'first' | 'later'; timeZone: string }

function Both({ heading, first, later, here, timeZone }: BothProps) {
  const shown = here === 'first' ? first : later
  const which = ({ id }: Lead) => (id === first.id ? leadWords.duplicate.first : leadWords.duplicate.second)
  const side = (lead: Lead) => leadWords.duplicate.side({ which: which(lead), partner: nameOf(lead) })
  return (
    <Panel heading={heading}>
      <div className="stack gap-3">
        <PlainTable
          label={heading}
          rows={[first, later]}
          columns={[
            {
              head: leadWords.duplicate.registration,
              cell: (lead) => (lead === shown ? which(lead) : <ToLead id={lead.id}>{which(lead)}</ToLead>),
            },
            { head: fieldWords.partner, cell: nameOf },
            { head: leadWords.facts.registered, cell: ({ createdAt }) => formatLongDateTime(createdAt, timeZone) },
            { head: fieldWords.source, wideOnly: true, cell: ({ source }) => sourceLabel(source) },
          ]}
        />
        <div className="grid">
          {(here === 'first' ? [later] : [first, later]).map((lead) => (
            <div key={lead.id}>
              <h3 className="inset wrap">{side(lead)}</h3>
              <LeadEvents leadId={lead.id} label={side(lead)} timeZone={timeZone} />
            </div>
          ))}
        </div>
        <Decision first={first} later={later} />
      </div>
    </Panel>
  )
}

const nameOf = ({ partnerName }: Lead) => partnerName ?? leadWords.noPartner
/** Gives the lead to the later partner in one click; the toast undoes it. */
function Decision({ first, later }: { first: Lead; later: Lead }) {
  const may = usePermission()
  const partner = nameOf(later)
  const undo = useCall(reassignLead, { onError: ({ message }) => showToast(message, { failed: true }) })
  const give = useCall(reassignLead, {
    onSuccess: () =>
      showToast(leadWords.duplicate.given({ partner }), {
        action: {
          label: toastWords.undo,
          run: () =>
            undo.mutate({
              params: { id: first.id },
              body: { partnerId: first.partnerId, reason: leadWords.duplicate.byMistake({ partner }) },
            }),
        },
      }),
    onError: ({ message }) => showToast(message, { failed: true }),
  })
  if (!later.partnerId || first.partnerId === later.partnerId)
    return <p className="inset muted">{leadWords.duplicate.has({ partner })}</p>
  if (!may(reassignLead)) return null
  const body = { partnerId: later.partnerId, reason: leadWords.duplicate.reason({ partner }) }
  return (
    <div className="stack gap-3 start inset">
      <p className="muted">{leadWords.duplicate.why({ partner })}</p>
      <Button busy={give.busy} onClick={() => give.mutate({ params: { id: first.id }, body })}>
        {leadWords.duplicate.give({ partner })}
      </Button>
    </div>
  )
}
