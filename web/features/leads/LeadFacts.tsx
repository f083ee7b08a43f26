import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Lead } from '#contract/leads.ts'
import { formatDay } from '../../format.ts'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { OnItsWay, Panel } from '../../ui/Panel.tsx'
import { t } from '../../words.ts'
import styles from './Leads.module.css'
import { link } from './queries.ts'
import { sourceLabel } from './words.ts'

type Props = { lead: Lead; timeZone: string; readOnly: boolean }

/** Which rule gave the lead to its partner, and where it came from. */
export function WhyThisPartner({ lead, timeZone, readOnly }: Props) {
  const { attribution, source, landingUrl, referrer, externalId, createdAt } = lead
  const facts: (Fact | null)[] = [
    { label: t('leads.facts.partner'), value: <Partner lead={lead} readOnly={readOnly} />, strong: true },
    attribution && { label: t('leads.facts.matchedBy'), value: t(`leads.matchedBy.${attribution.matchedBy}`) },
    attribution && { label: t('leads.facts.model'), value: t(`leads.models.${attribution.model}`) },
    lead.blueprintId && !readOnly ? { label: t('leads.facts.link'), value: <LinkName id={lead.blueprintId} /> } : null,
    { label: t('leads.facts.source'), value: sourceLabel(source) },
    landingUrl ? { label: t('leads.facts.landing'), value: pageOf(landingUrl) } : null,
    referrer ? { label: t('leads.facts.referrer'), value: pageOf(referrer) } : null,
    externalId ? { label: t('fields.externalId'), value: externalId } : null,
    { label: t('leads.facts.registered'), value: formatDay(createdAt, timeZone) },
  ]
  return (
    <Panel heading={t('leads.whyThisPartner')}>
      <Facts label={t('leads.whyThisPartner')} facts={facts.filter((fact) => fact !== null)} />
    </Panel>
  )
}

/** 'harbor.example/pricing': which page it was, without what its address carried. */
function pageOf(address: string) {
  const url = URL.parse(address)
  return url ? url.host + url.pathname.replace(/\/$/, '') : address
}

function Partner({ lead: { partnerId, partnerName }, readOnly }: Pick<Props, 'lead' | 'readOnly'>) {
  if (!partnerId) return t('leads.noPartner')
  if (readOnly) return partnerName
  return (
    <Link to="/partners/$partnerId" params={{ partnerId }}>
      {partnerName}
    </Link>
  )
}

/** The link's name; one that was deleted since has none to lead to. */
function LinkName({ id }: { id: string }) {
  const { data, isLoading } = useQuery(link(id))
  if (isLoading) return <OnItsWay />
  if (!data) return t('absent')
  return (
    <Link to="/links/$blueprintId" params={{ blueprintId: id }}>
      {data.name}
    </Link>
  )
}

export function SharedNote({ lead: { sharedNote }, readOnly }: Pick<Props, 'lead' | 'readOnly'>) {
  if (!sharedNote) return null
  return (
    <Panel heading={t(readOnly ? 'leads.notePartner' : 'leads.note')}>
      <p className={styles.note}>{sharedNote}</p>
    </Panel>
  )
}

/** What came with the lead and belongs to no field of its own. */
export function Metadata({ lead: { metadata } }: Pick<Props, 'lead'>) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <Panel heading={t('leads.metadata')}>
      <div className={styles.beside}>
        <Facts label={t('leads.metadata')} beside facts={entries.map(([label, value]) => ({ label, value }))} />
      </div>
    </Panel>
  )
}
