import { type ReactNode, useId, useMemo, useState } from 'react'
import { formatNumber } from '#contract/format.ts'
import {
  approveForTaxYear,
  downloadNecFile,
  downloadTaxYear,
  type listTaxYear,
  type TaxYearPartner,
  type TaxYearTotals,
  taxFormStates,
} from '#features/tax-years/contract.ts'
import { formatDate, formatMoney, todayIn, toYear } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf, FilterOf } from '../../lists/list-types.ts'
import { useSelection } from '../../lists/selection.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { TaxForm } from '../../shared/TaxForm.tsx'
import { useYearApproval } from '../../shared/useYearApproval.ts'
import { useAccount } from '../../shell/current.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { useStart } from '../../ui/actions.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/fields.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { Name } from '../../ui/Name.tsx'
import { toMenuItems } from '../../ui/offers.tsx'
import { usePermission } from '../../ui/permissions.ts'
import { useAddress } from '../../ui/useAddress.ts'
import { useStable } from '../../ui/useStable.ts'
import { YesOrNo } from '../../ui/YesOrNo.tsx'
import { basicWords } from '../../words/basic.ts'
import { fieldWords } from '../../words/fields.ts'
import { tableWords } from '../../words/lists.ts'
import { necWords } from '../../words/nec-file.ts'
import { partnerWords } from '../../words/partners.ts'
import { pageWords } from '../../words/shell.ts'
import { yearReportWords } from '../../words/year-report.ts'
import { NextYear } from './NextYear.tsx'
import page from './Payouts.module.css'
import { yearReport } from './queries.ts'
import { Threshold } from './Threshold.tsx'
import { methodLabel } from './words.ts'
import styles from './YearReport.module.css'
import { yearIn, yearsOffered, yearToPrepare } from './years.ts'

const NecFile = lazyComponent(async () => (await import('./NecFile.tsx')).NecFile)

const column = defineColumns<typeof listTaxYear>()

/** Returns the year in the address, today's date, and a setter for the year. */
function useYear() {
  const { params, change } = useAddress()
  const today = todayIn(useAccount().timeZone)
  const year = yearIn(params.year, today)
  // another year starts on the first page
  const set = (chosen: number) => change({ year: String(chosen), cursor: undefined })
  return { year, today, set }
}

/** Payments to each partner in a calendar year, with their approval for it and the tax form on file. */
export function YearReport({ menu }: { menu: readonly Action[] }) {
  const { id: accountId } = useAccount()
  const { year, today, set } = useYear()
  const next = yearToPrepare(today)
  return (
    <>
      {next && <NextYear accountId={accountId} year={next} isShown={year === next} />}
      {/* the selection belongs to one year */}
      <Report key={year} accountId={accountId} year={year} today={today} setYear={set} menu={menu} />
    </>
  )
}

type Props = {
  accountId: string
  year: number
  today: string
  setYear: (year: number) => void
  menu: readonly Action[]
}

function Report({ accountId, year, today, setYear, menu }: Props) {
  const report = yearReport({ id: accountId, year: String(year) })
  const list = useList(report)
  const { answer } = list
  const selection = useSelection(report, ({ partnerId }: TaxYearPartner) => partnerId)
  const start = useStart()
  const [filing, setFiling] = useState(false)
  const approval = useYearApproval(accountId)
  const set = useStable(async (rows: TaxYearPartner[], approved: boolean) => {
    const ids = rows.map(({ partnerId }) => partnerId)
    if (await approval.set(year, ids, approved)) selection.set(rows, false)
  })
  const unapproved = selection.rows.filter(({ approved }) => !approved)
  const { data } = answer
  const mayApprove = usePermission()(approveForTaxYear)
  const columns = useMemo(() => columnsFor(data?.totals, data?.currency), [data?.totals, data?.currency])
  return (
    <>
      <div className={`row gap-5 ${page.above} ${styles.head}`}>
        <YearField year={year} today={today} onChange={setYear} />
        {data && <Threshold accountId={accountId} terms={data} />}
        {data?.currency === 'usd' && (
          <Button small needs={downloadNecFile} onClick={() => setFiling(true)}>
            {necWords.open}
          </Button>
        )}
        {data && data.totals.rewards > 0 && <span className="muted">{yearReportWords.rewardsWhy}</span>}
      </div>
      <DataTable
        name={yearReportWords.heading}
        page={pageWords.payouts}
        plural={yearReportWords.plural}
        rowsAre="partners"
        list={list}
        csv={{ endpoint: downloadTaxYear, atHead: true, menu }}
        totalsOfAll
        keyOf={({ partnerId }) => partnerId}
        nameOf={({ partnerName }) => partnerName}
        filters={filtersFor({ isNext: year > toYear(today) })}
        columns={columns}
        selection={mayApprove ? selection : undefined}
        bulk={
          <Button
            small
            busy={approval.busy}
            cannot={unapproved.length === 0 && yearReportWords.allApproved({ year })}
            onClick={() => void set(unapproved, true)}
          >
            {yearReportWords.approve({ year })}
          </Button>
        }
        actions={
          mayApprove
            ? (row): Action[] => [
                ...toMenuItems({ id: row.partnerId, taxForm: row.taxForm, today }, [TaxForm], start),
                {
                  label: (row.approved ? yearReportWords.remove : yearReportWords.approve)({ year }),
                  run: () => void set([row], !row.approved),
                },
              ]
            : undefined
        }
        empty={{ icon: <PayoutsIcon />, hint: yearReportWords.empty }}
      />
      {filing && <NecFile accountId={accountId} year={year} onClose={() => setFiling(false)} />}
    </>
  )
}

function YearField({ year, today, onChange }: { year: number; today: string; onChange: (year: number) => void }) {
  const id = useId()
  return (
    <SelectField
      id={id}
      name="year"
      label={fieldWords.taxYear}
      value={String(year)}
      choices={yearsOffered(year, today).map((one) => ({ value: String(one), label: String(one) }))}
      onChange={(value) => value && onChange(Number(value))}
      onBlur={() => undefined}
    />
  )
}

/** The filter for partners to approve exists only for the next year. */
function filtersFor({ isNext }: { isNext: boolean }): FilterOf<typeof yearReport>[] {
  const yesOrNo = [
    { value: 'true', label: tableWords.yes },
    { value: 'false', label: tableWords.no },
  ]
  const forms = taxFormStates.map((value) => ({ value, label: yearReportWords.states[value] }))
  return [
    { name: 'overThreshold', label: yearReportWords.over, choices: yesOrNo },
    { name: 'approved', label: yearReportWords.approved, choices: yesOrNo },
    { name: 'taxForm', label: fieldWords.taxForm, choices: forms },
    ...(isNext ? [{ name: 'toApprove', label: yearReportWords.toApprove, flag: true } as const] : []),
  ]
}

function columnsFor(totals: TaxYearTotals | undefined, currency = 'usd'): ColumnOf<typeof listTaxYear>[] {
  const rewards = totals?.rewards ?? 0
  const counted = (count: number | undefined) => () => count !== undefined && formatNumber(count)
  return [
    column.partner(fieldWords.partner, { sort: 'name', total: () => fieldWords.total }),
    column.money('paid', yearReportWords.paid, {
      sort: true,
      total: () => totals && formatMoney(totals.paid, currency),
      strong: true,
    }),
    column.money('reportable', yearReportWords.reportable, {
      total: () => totals && formatMoney(totals.reportable, currency),
    }),
    ...(rewards > 0
      ? [
          column.money('rewards', yearReportWords.rewards, {
            total: () => formatMoney(rewards, currency),
          }),
        ]
      : []),
    column.of('method', fieldWords.method, { short: true }, ({ method }) => (
      <span className="muted">{methodOf(method)}</span>
    )),
    column.yesOrNo('approved', yearReportWords.approved, { card: 'figure', total: counted(totals?.approved) }),
    column.of(
      'taxFormKind',
      fieldWords.taxForm,
      {
        csv: ['taxFormKind', 'taxFormReceivedOn', 'taxFormExpired'],
        card: 'under',
        total: () => totals && totals.formsMissing > 0 && yearReportWords.formsMissing({ count: totals.formsMissing }),
      },
      formOf,
    ),
    column.of(
      'overThreshold',
      yearReportWords.over,
      { short: true, card: 'figure', total: counted(totals?.overThreshold) },
      ({ overThreshold }) => (overThreshold === null ? <Absent /> : <YesOrNo neutral yes={overThreshold} />),
    ),
  ]
}

const Absent = () => <span className="muted">{basicWords.absent}</span>

const methodOf = (method: TaxYearPartner['method']) => {
  if (method === null) return basicWords.absent
  return method === 'several' ? yearReportWords.several : methodLabel(method)
}

/** The form on file; a missing one is highlighted if it is required. */
function formOf({ taxForm, overThreshold }: TaxYearPartner): ReactNode {
  if (!taxForm)
    return overThreshold ? (
      <Badge tone="needs">{yearReportWords.states.missing}</Badge>
    ) : (
      <span className="muted">{yearReportWords.noForm}</span>
    )
  const kind = partnerWords.payoutDetails.forms[taxForm.kind]
  return (
    <span className="row">
      <Name>{partnerWords.payoutDetails.form({ kind, date: formatDate(taxForm.receivedOn) })}</Name>
      {taxForm.expired && <Badge tone="needs">{yearReportWords.states.expired}</Badge>}
    </span>
  )
}
