import { Link } from '@tanstack/react-router'
import type { ClaimCandidate, ClaimWithCandidates } from '#contract/claims.ts'
import { formatCount, formatDate, formatShortDateTime } from '../../format.ts'
import { ToLead, ToPartner } from '../../shared/links.tsx'
import { StatusBadge } from '../../shared/StatusBadge.tsx'
import { useAccount } from '../../shell/current.ts'
import { ThingPage } from '../../shell/ThingPage.tsx'
import { Email } from '../../ui/Address.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Message } from '../../ui/Message.tsx'
import { Money } from '../../ui/Money.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { Page } from '../../ui/Page.tsx'
import { Empty, Panel } from '../../ui/Panel.tsx'
import { TwoColumns } from '../../ui/TwoColumns.tsx'
import { claimWords as words } from '../../words/claims.ts'
import { fieldWords } from '../../words/fields.ts'
import { pageWords } from '../../words/shell.ts'
import styles from './Claims.module.css'
import { Accept, Refuse } from './decide.tsx'
import { claimName } from './names.ts'
import { claimQuery } from './queries.ts'

const toClaims = <Link to="/claims">{pageWords.claims}</Link>

/** A claim beside the sales and leads that fit it. */
export function ClaimDetail({ claimId }: { claimId: string }) {
  return (
    <ThingPage query={claimQuery(claimId)} heading={words.claim} shape="detail" parent={toClaims} gone={words.gone}>
      {(claim) => <Detail key={claim.id} claim={claim} />}
    </ThingPage>
  )
}

function Detail({ claim }: { claim: ClaimWithCandidates }) {
  const { timeZone } = useAccount()
  const { state, partnerName, credited, candidates, from, to } = claim
  const isOpen = state === 'open'
  return (
    <Page
      heading={words.from({ name: partnerName })}
      crumb={claimName(claim)}
      parent={toClaims}
      badge={<StatusBadge of="claim" status={state} />}
      about={<span className="wrap">{claimName(claim)}</span>}
      actions={<ActButton act={Refuse} of={claim} />}
    >
      {credited && <Message kind="info">{words.credited}.</Message>}
      <TwoColumns aside={<About claim={claim} timeZone={timeZone} />}>
        <Panel heading={words.candidates}>
          <p className="inset muted small">
            {words.searched({ from: formatDate(from), to: formatDate(to) })} {words.scoreWhy}
          </p>
          {candidates.length === 0 ? (
            <Empty what={words.nothing} hint={isOpen ? words.nothingHint : undefined} />
          ) : (
            <ul aria-label={words.candidates} className="items">
              {candidates.map((candidate) => (
                <Candidate key={candidate.id} claim={claim} candidate={candidate} />
              ))}
            </ul>
          )}
        </Panel>
      </TwoColumns>
    </Page>
  )
}

function Candidate({ claim, candidate }: { claim: ClaimWithCandidates; candidate: ClaimCandidate }) {
  const { kind, leadId, name, day, amount, currency, saleStatus, leadStatus, state, partnerName, named, fits, score } =
    candidate
  const canAccept = state === 'ready' || state === 'credited'
  return (
    <li className="stack gap-2 inset-all">
      <div className="row between">
        <h3 className="wrap">{leadId ? <ToLead id={leadId}>{name}</ToLead> : name}</h3>
        <span className="row gap-2">
          {amount !== null && <Money strong amount={amount} currency={currency ?? ''} />}
          {saleStatus && <StatusBadge of="sale" status={saleStatus} />}
          {leadStatus && <StatusBadge of="lead" status={leadStatus} />}
        </span>
      </div>
      <p className="muted small wrap">
        {kind === 'sale' ? words.sale : words.lead}, {formatDate(day)}.{' '}
        {partnerName ? words.ofPartner({ name: partnerName }) : words.noPartner}. {words.score({ score })}.
      </p>
      <ul className={styles.why}>
        {named.map((why) => (
          <li key={why} className="strong">
            {why}
          </li>
        ))}
        {fits.map(({ rule, why, counts }) => (
          <li key={rule} className={counts ? undefined : 'muted'}>
            {why} {!counts && <Badge tone="waits">{words.notCounted}</Badge>}
          </li>
        ))}
      </ul>
      {state !== 'ready' && (
        <p className={state === 'credited' ? 'muted small' : 'small warning'}>{words.state[state]}</p>
      )}
      {canAccept && (
        <div>
          <ActButton small act={Accept} of={{ claim, candidate }} />
        </div>
      )}
    </li>
  )
}

function About({ claim, timeZone }: { claim: ClaimWithCandidates; timeZone: string }) {
  const { partnerId, partnerName, orderId, email, day, note, reason, createdAt, decidedAt, decidedBy } = claim
  const { leadId, leadName, clicks, others } = claim
  const at = (instant: string) => formatShortDateTime(instant, timeZone)
  const facts: Fact[] = [
    {
      label: fieldWords.partner,
      value: <ToPartner id={partnerId}>{partnerName}</ToPartner>,
    },
    orderId !== null && { label: words.orderId, value: orderId },
    email !== null && { label: fieldWords.email, value: <Email>{email}</Email> },
    day !== null && { label: words.day, value: formatDate(day) },
    { label: words.made, value: at(createdAt) },
    {
      label: fieldWords.clicks,
      value: clicks.lastDay
        ? words.clicked({ count: formatCount(clicks.count), date: formatDate(clicks.lastDay) })
        : formatCount(clicks.count),
    },
    decidedAt !== null && {
      label: words.decided,
      value: decidedBy ? words.decidedBy({ date: at(decidedAt), name: decidedBy }) : at(decidedAt),
    },
    leadId !== null && {
      label: words.acceptedFor,
      value: <ToLead id={leadId}>{leadName}</ToLead>,
    },
    reason !== null && { label: fieldWords.reason, value: reason },
  ]
  return (
    <>
      <Panel heading={words.claim}>
        <Facts label={words.claim} facts={facts.filter((fact) => fact !== false)} />
        {note !== null && <blockquote className={`inset-all wrap ${styles.note}`}>{note}</blockquote>}
      </Panel>
      {others.length > 0 && (
        <Panel heading={words.others}>
          <ul aria-label={words.others} className="items">
            {others.map(({ id, partnerName, state }) => (
              <li key={id} className="row between inset-all">
                <Link to="/claims/$claimId" params={{ claimId: id }}>
                  {partnerName}
                </Link>
                <StatusBadge of="claim" status={state} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}
