import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { fraudRules, saveFraudRules } from '#contract/fraud.ts'
import { downloadCases, type FraudCase, type listCases } from '#contract/fraud-cases.ts'
import { formatShortDate } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { partnerFilter } from '../../shared/filters.tsx'
import { ToLead, ToPartner } from '../../shared/links.tsx'
import { useAccount } from '../../shell/current.ts'
import { Badge } from '../../ui/Badge.tsx'
import { WaitIcon } from '../../ui/icons.tsx'
import { LinkButton } from '../../ui/LinkButton.tsx'
import { Money } from '../../ui/Money.tsx'
import { Name } from '../../ui/Name.tsx'
import { Page } from '../../ui/Page.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { caseWords as words } from '../../words/fraud-cases.ts'
import { fraudRuleWords } from '../../words/fraud-rules.ts'
import { pageWords } from '../../words/shell.ts'
import { caseActs } from './case-acts.ts'
import { cases } from './queries.ts'

const column = defineColumns<typeof listCases>()

/** The cases that wait for a decision, each with its evidence and acts; decided ones by a filter. */
export function CaseList() {
  const { id, timeZone } = useAccount()
  const list = useList(cases({ id }))
  const columns = useMemo(() => columnsFor(timeZone), [timeZone])
  return (
    <Page heading={words.desk} parent={<Link to="/leads">{pageWords.leads}</Link>}>
      <DataTable
        headed
        name={words.desk}
        plural={words.plural}
        rowsAre="items"
        searchable={false}
        list={list}
        csv={{ endpoint: downloadCases }}
        columns={columns}
        filters={filtersFor(id)}
        nameOf={nameOf}
        actions={caseActs}
        empty={{
          icon: <WaitIcon />,
          hint: words.none,
          action: (
            <LinkButton needs={saveFraudRules} to="/account/settings" search={{ tab: 'attribution' }}>
              {words.setRules}
            </LinkButton>
          ),
        }}
      />
    </Page>
  )
}

const nameOf = ({ subject, leadName, partnerName }: FraudCase) =>
  subject === 'partner' ? partnerName : (leadName ?? partnerName)

const filtersFor = (accountId: string): FilterOf<typeof cases>[] => [
  {
    name: 'rule',
    label: words.rule,
    choices: fraudRules.map((rule) => ({ value: rule, label: fraudRuleWords[rule] })),
  },
  partnerFilter('partnerId', fieldWords.partner, accountId),
  { name: 'state', label: words.decided, flag: 'decided' },
]

const columnsFor = (timeZone: string): ColumnOf<typeof listCases>[] => [
  column.first(['subject', 'leadName', 'findings'], words.about, {}, (one) => (
    <div className="stack gap-0">
      <About of={one} />
      <p className="muted small">{one.rules.map((rule) => fraudRuleWords[rule]).join(', ')}</p>
    </div>
  )),
  column.of('partnerName', fieldWords.partner, { card: 'under' }, ({ partnerId, partnerName, partnerState }) => (
    <div className="stack gap-0">
      <Name>
        <ToPartner id={partnerId} plain>
          {partnerName}
        </ToPartner>
      </Name>
      {partnerState === 'suspended' && (
        <div>
          <Badge tone="needs">{words.suspended}</Badge>
        </div>
      )}
    </div>
  )),
  column.of('question', words.evidence, { csv: ['question', 'answer', 'reason', 'decision'], card: 'under' }, (one) => (
    <Evidence of={one} timeZone={timeZone} />
  )),
  column.of(
    'heldAmount',
    words.held,
    { csv: ['heldAmount', 'heldSales'], numeric: true, card: 'figure' },
    ({ action, state, heldAmount, currency }) =>
      action === 'flag' || state === 'decided' ? basicWords.absent : <Money amount={heldAmount} currency={currency} />,
  ),
  column.of('heldUntil', words.releasedOn, { sort: true, card: 'figure' }, ({ state, heldUntil }) =>
    state === 'open' && heldUntil ? formatShortDate(heldUntil, timeZone) : basicWords.absent,
  ),
  column.day('openedAt', fieldWords.created, timeZone, { card: false, sort: 'createdAt' }),
]

/** The sale, lead or partner that a case is about. */
function About({ of: { subject, leadId, leadName, partnerId } }: { of: FraudCase }) {
  if (subject === 'partner' || !leadId) return <ToPartner id={partnerId}>{words.newSales}</ToPartner>
  const lead = leadName ?? words.someone
  return (
    <Name>
      <ToLead id={leadId}>{subject === 'sale' ? words.saleOf({ lead }) : words.leadOf({ lead })}</ToLead>
    </Name>
  )
}

/** The findings, the question with its answer, and the decision. */
function Evidence({ of, timeZone }: { of: FraudCase; timeZone: string }) {
  const { findings, question, answer, reason, decidedAt } = of
  return (
    <div className="stack gap-1">
      {findings.map(({ rule, evidence, partnerId }) => (
        <p key={`${rule} ${evidence}`} className="lines">
          {evidence} {partnerId && <ToPartner id={partnerId}>{fieldWords.partner}</ToPartner>}
        </p>
      ))}
      {question && <p className="lines muted small">{words.asked({ question })}</p>}
      {answer && <p className="lines small">{words.answered({ answer })}</p>}
      {of.state === 'decided' && (
        <p className="lines muted small">
          {[decisionOf(of), decidedAt && formatShortDate(decidedAt, timeZone), reason].filter(Boolean).join(' · ')}
        </p>
      )}
    </div>
  )
}

function decisionOf({ decision, decidedBy }: FraudCase) {
  if (decision === null || decision === 'expired') return words.expired
  return words.decisions[decision]({ name: decidedBy ?? words.formerUser })
}
