import { useMemo } from 'react'
import { bulkActionKinds, subjectsOfAction } from '#contract/bulk-actions.ts'
import { formatNumber } from '#contract/format.ts'
import { fraudRules, saveFraudRules } from '#contract/fraud.ts'
import { formatMoney, formatShortDate } from '#web/format.ts'
import { DataTable } from '#web/lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '#web/lists/list-types.ts'
import { useSelection } from '#web/lists/selection.ts'
import { useList } from '#web/lists/useList.ts'
import { BulkProgress } from '#web/shared/BulkProgress.tsx'
import { useFollowed } from '#web/shared/bulk-actions.ts'
import { defineColumns } from '#web/shared/columns.tsx'
import { partnerFilter } from '#web/shared/filters.tsx'
import { ToLead, ToPartner } from '#web/shared/links.tsx'
import { useLeadCounts } from '#web/shared/tab-counts.ts'
import { useAccount } from '#web/shell/current.ts'
import { EntryPage } from '#web/shell/EntryPage.tsx'
import { Badge } from '#web/ui/Badge.tsx'
import { WaitIcon } from '#web/ui/icons.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { lazyActions } from '#web/ui/late-acts.tsx'
import { Money } from '#web/ui/Money.tsx'
import { Name } from '#web/ui/Name.tsx'
import { ActButton } from '#web/ui/offers.tsx'
import { usePermission } from '#web/ui/permissions.ts'
import { basicWords } from '#web/words/basic.ts'
import { fieldWords } from '#web/words/fields.ts'
import { fraudRuleWords } from '#web/words/fraud-rules.ts'
import {
  askPartnerAboutCase,
  downloadCases,
  type FraudCase,
  type listCases,
  releaseCase,
  suspendPartnerForCase,
  voidCase,
} from '../contract.ts'
import { caseTabWords } from '../tab-text.ts'
import { caseWords as words } from '../text.ts'
import { cases } from './queries.ts'

const isOpen = ({ state }: FraudCase) => state === 'open'

/** The acts on an open case; that which voids it is a button of its row, the others are in its menu. */
const caseActs = lazyActions(async () => (await import('./CaseActs.tsx')).caseDialogs, {
  ask: { label: words.ask.action, needs: askPartnerAboutCase, when: (one) => isOpen(one) && one.question === null },
  suspend: {
    label: words.suspend.action,
    needs: suspendPartnerForCase,
    when: (one) => isOpen(one) && one.partnerState === 'active',
    danger: true,
  },
  void: {
    label: ({ subject }) => (subject === 'sale' ? words.void.action : words.void.actionMany),
    needs: voidCase,
    when: (one) => isOpen(one) && (one.subject === 'sale' || one.action === 'hold'),
    danger: true,
  },
})

const loadMany = async () => (await import('./CaseActs.tsx')).manyDialogs

/** The acts on several open cases at once; one is released likewise. */
const actsOnMany = lazyActions(loadMany, {
  release: { label: ({ cases }) => words.release.many({ count: cases.length }), needs: releaseCase },
  void: { label: ({ cases }) => words.void.many({ count: cases.length }), needs: voidCase, danger: true },
})

const column = defineColumns<typeof listCases>()

/** The cases that wait for a decision, each with its evidence and acts; decided ones by a filter. */
export function CaseList() {
  const { id, timeZone } = useAccount()
  const list = useList(cases({ id }))
  const leaving = useFollowed(id).flatMap(({ action, ids = [] }) => (action === 'release-cases' ? ids : []))
  const named = leaving.join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list of ids is new with every render
  const columns = useMemo(() => columnsFor({ accountId: id, timeZone, leaving }), [id, timeZone, named])
  const may = usePermission()
  const totals = list.answer.data?.totals
  const selection = useSelection(cases({ id }), (one: FraudCase) => one.id)
  const many = {
    accountId: id,
    ids: selection.rows.map((one) => one.id),
    cases: selection.rows,
    onStarted: selection.clear,
  }
  return (
    <EntryPage counts={useLeadCounts(id)}>
      <BulkProgress accountId={id} kinds={shownKinds} />
      {totals && totals.count > 0 && !list.table.query.state && (
        <p className="strong">
          {words.onHold({ count: totals.count, amount: formatMoney(totals.heldAmount, totals.currency) })}
        </p>
      )}
      <DataTable
        headed
        name={caseTabWords.label}
        plural={words.plural}
        rowsAre="items"
        searchable={false}
        list={list}
        csv={{ endpoint: downloadCases }}
        columns={columns}
        filters={filtersFor(id)}
        nameOf={nameOf}
        actions={inMenu}
        selection={may(releaseCase) ? selection : undefined}
        selectable={(one) => isOpen(one) && !leaving.includes(one.id)}
        bulk={
          <>
            <ActButton small look="primary" act={actsOnMany.release} of={many} />
            <ActButton small act={actsOnMany.void} of={many} />
          </>
        }
        empty={{
          icon: <WaitIcon />,
          hint: words.none,
          action: (
            <LinkButton needs={saveFraudRules} to="/account/settings" search={{ tab: 'fraud-rules' }}>
              {words.setRules}
            </LinkButton>
          ),
        }}
      />
    </EntryPage>
  )
}

const shownKinds = bulkActionKinds.filter((kind) => subjectsOfAction[kind] === 'cases')
const { ask, suspend, void: voidHeld } = caseActs
const inMenu = [ask, suspend]

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

type Shown = {
  accountId: string
  timeZone: string
  /** Cases that are being released. */
  leaving: readonly string[]
}

const columnsFor = ({ accountId, timeZone, leaving }: Shown): ColumnOf<typeof listCases>[] => [
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
  column.day('openedAt', fieldWords.created, timeZone, { card: false, sort: 'createdAt', wideOnly: true }),
  {
    head: words.decide,
    headHidden: true,
    numeric: true,
    card: 'figure',
    cell: (one) =>
      leaving.includes(one.id) ? (
        <Badge tone="moves">{words.release.releasing}</Badge>
      ) : (
        isOpen(one) && (
          <span className="whole">
            <ActButton
              small
              act={actsOnMany.release}
              of={{ accountId, ids: [one.id], cases: [one], onStarted: () => undefined }}
            >
              {words.release.action}
            </ActButton>{' '}
            <ActButton small act={voidHeld} of={one} />
          </span>
        )
      ),
  },
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

/** The first finding, the question with its answer, and the decision. */
function Evidence({ of, timeZone }: { of: FraudCase; timeZone: string }) {
  const { findings, question, answer, reason, decidedAt } = of
  const [first, ...others] = findings
  return (
    <div className="stack gap-1">
      {first && (
        <p className="lines">
          {first.evidence} {first.partnerId && <ToPartner id={first.partnerId}>{fieldWords.partner}</ToPartner>}
          {others.length > 0 && (
            <span className="muted" title={others.map(({ evidence }) => evidence).join(' ')}>
              {` +${formatNumber(others.length)}`}
            </span>
          )}
        </p>
      )}
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
