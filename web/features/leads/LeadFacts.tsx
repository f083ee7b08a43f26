import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ANSWER_HOURS, type Lead } from '#contract/leads.ts'
import { formatDateAt } from '../../format.ts'
import { ToPartner } from '../../shared/links.tsx'
import { linkBlueprintQuery } from '../../shared/queries.ts'
import { PageAddress } from '../../ui/Address.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Message } from '../../ui/Message.tsx'
import { Name } from '../../ui/Name.tsx'
import { Panel, TextPlaceholder } from '../../ui/Panel.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords, labelWords } from '../../words/fields.ts'
import { leadWords } from '../../words/leads.ts'
import styles from './Leads.module.css'
import { isNegative } from './moves.ts'
import { sourceLabel } from './words.ts'

type Props = { lead: Lead; timeZone: string; readOnly: boolean }

/**
 * The rule that assigned the lead to its partner, and the lead's source; a duplicate has no attribution, only the
 * partner who submitted it.
 */
export function WhyThisPartner({ lead, timeZone, readOnly }: Props) {
  const { source, landingUrl, referrer, externalId, createdAt } = lead
  const duplicate = lead.status === 'duplicate'
  const attribution = duplicate ? null : lead.attribution
  const facts: (Fact | null)[] = [
    {
      label: duplicate ? leadWords.facts.registeredBy : labelWords.partner,
      value: <Partner lead={lead} readOnly={readOnly} />,
      strong: true,
    },
    attribution && { label: leadWords.facts.matchedBy, value: leadWords.matchedBy[attribution.matchedBy] },
    attribution && { label: leadWords.facts.model, value: leadWords.models[attribution.model] },
    lead.blueprintId && !readOnly ? { label: labelWords.link, value: <LinkName id={lead.blueprintId} /> } : null,
    lead.linkName ? { label: leadWords.facts.ownLink, value: <Name>{lead.linkName}</Name> } : null,
    lead.subId ? { label: labelWords.subId, value: <Name>{lead.subId}</Name> } : null,
    { label: fieldWords.source, value: sourceLabel(source) },
    landingUrl ? { label: leadWords.facts.landing, value: <PageAddress>{pageOf(landingUrl)}</PageAddress> } : null,
    referrer ? { label: leadWords.facts.referrer, value: <PageAddress>{pageOf(referrer)}</PageAddress> } : null,
    externalId ? { label: labelWords.externalId, value: externalId } : null,
    { label: leadWords.facts.registered, value: formatDateAt(createdAt, timeZone) },
  ]
  const heading = duplicate ? leadWords.registration : leadWords.whyThisPartner
  return (
    <Panel heading={heading}>
      <Facts label={heading} facts={facts.filter((fact) => fact !== null)} />
    </Panel>
  )
}

/** Returns the page without its query, for example 'harbor.example/pricing'. */
function pageOf(address: string) {
  const url = URL.parse(address)
  return url ? url.host + url.pathname.replace(/\/$/, '') : address
}

function Partner({ lead: { partnerId, partnerName }, readOnly }: Pick<Props, 'lead' | 'readOnly'>) {
  if (!partnerId) return leadWords.noPartner
  if (readOnly) return partnerName
  return <ToPartner id={partnerId}>{partnerName}</ToPartner>
}

/** The link's name, or '–' if the link was deleted. */
function LinkName({ id }: { id: string }) {
  const { data, isLoading } = useQuery(linkBlueprintQuery(id))
  if (isLoading) return <TextPlaceholder />
  if (!data) return basicWords.absent
  return (
    <Link to="/links/$blueprintId" params={{ blueprintId: id }}>
      {data.name}
    </Link>
  )
}

export function SharedNote({ lead: { sharedNote, status }, readOnly }: Pick<Props, 'lead' | 'readOnly'>) {
  if (!sharedNote || (readOnly && isNegative(status))) return null
  return (
    <Panel heading={readOnly ? leadWords.notePartner : leadWords.note}>
      <p className={`inset wrap ${styles.sharedNote}`}>{sharedNote}</p>
    </Panel>
  )
}

/** For the partner: the lead is lost or rejected, with the note the account shared. */
export function Closed({ lead: { status, sharedNote } }: Pick<Props, 'lead'>) {
  if (!isNegative(status)) return null
  return (
    <Message kind="warning">
      {leadWords.closed[status]} {sharedNote ? `“${sharedNote}”` : leadWords.closed.noReason}
    </Message>
  )
}

const HOUR_MS = 3_600_000

export const isUnanswered = ({ status, createdAt }: Lead) =>
  status === 'new' && Date.now() - Date.parse(createdAt) > ANSWER_HOURS * HOUR_MS

/** A warning at the status of a lead that was not answered in time. */
export function Unanswered({ lead }: Pick<Props, 'lead'>) {
  if (!isUnanswered(lead)) return null
  return <small className="warning">{leadWords.late({ hours: ANSWER_HOURS })}</small>
}

/** The self-referral policy's result for this lead's sales; of one whom a customer referred, why they get no reward. */
export function SelfReferral({ lead: { selfReferral, noReward } }: Pick<Props, 'lead'>) {
  if (noReward) return <Message kind="warning">{leadWords.noReward[noReward]}</Message>
  return selfReferral && <Message kind="warning">{leadWords.fraud[selfReferral]}</Message>
}

/** Submitted values that belong to no field of their own. */
export function Metadata({ lead: { metadata } }: Pick<Props, 'lead'>) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <Panel heading={leadWords.metadata}>
      <div className="inset">
        <Facts
          label={leadWords.metadata}
          beside
          facts={entries.map(([label, value]) => ({ label, value: <PageAddress>{value}</PageAddress> }))}
        />
      </div>
    </Panel>
  )
}
