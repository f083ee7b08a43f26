import { useId, useMemo, useState } from 'react'
import { downloadJournal, downloadLiability, type listLiability, type PartnerLiability } from '#contract/accounting.ts'
import { formatDate, formatMoney, todayIn } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { HowItWorks } from '../../shared/HowItWorks.tsx'
import { useAccount } from '../../shell/current.ts'
import type { Action } from '../../ui/ActionMenu.tsx'
import { Button } from '../../ui/Button.tsx'
import { DateField } from '../../ui/fields.tsx'
import { PayoutsIcon } from '../../ui/icons.tsx'
import { Money } from '../../ui/Money.tsx'
import { useAddress } from '../../ui/useAddress.ts'
import { booksWords } from '../../words/accounting.ts'
import { fieldWords } from '../../words/fields.ts'
import { pageWords } from '../../words/shell.ts'
import { Journal } from './Journal.tsx'
import { NewestInvoices } from './NewestInvoices.tsx'
import page from './Payouts.module.css'
import { dayOfBooks, liability } from './queries.ts'
import styles from './YearReport.module.css'

const column = defineColumns<typeof listLiability>()

/** Amounts owed to each partner at the end of a day, and the journal that leads there. */
export function Books({ menu }: { menu: readonly Action[] }) {
  const { id: accountId, timeZone } = useAccount()
  const { params, change } = useAddress()
  const today = todayIn(timeZone)
  const day = dayOfBooks(params.day, today)
  /** A date typed part by part that is no day of the books yet. */
  const [typed, setTyped] = useState<string | null>(null)
  const list = useList(liability({ id: accountId, day }))
  const { answer } = list
  const [opened, setOpened] = useState(false)
  const { data } = answer
  const columns = useMemo(() => columnsWith(data), [data])
  const id = useId()
  return (
    <>
      <HowItWorks of="books" />
      <div className={`row gap-5 ${page.above} ${styles.head}`}>
        <DateField
          id={id}
          name="day"
          label={booksWords.asOf}
          value={typed ?? day}
          max={today}
          onChange={(chosen) => {
            const isDay = dayOfBooks(chosen, today) === chosen
            setTyped(isDay ? null : chosen)
            // another day begins on the first page
            if (isDay) change({ day: chosen === today ? undefined : chosen, cursor: undefined })
          }}
          onBlur={() => setTyped(null)}
        />
        {data && (
          <p>
            <span className="muted">{booksWords.owedOn({ day: formatDate(data.day) })}</span>{' '}
            <strong>{formatMoney(data.owed, data.currency)}</strong>
          </p>
        )}
        <Button small needs={downloadJournal} onClick={() => setOpened(true)}>
          {booksWords.journal.open}
        </Button>
      </div>
      <DataTable
        name={pageWords.books}
        page={pageWords.payouts}
        plural={booksWords.plural}
        rowsAre="partners"
        list={list}
        csv={{ endpoint: downloadLiability, atHead: true, menu }}
        totalsOfAll
        keyOf={({ partnerId }) => partnerId}
        nameOf={({ partnerName }: PartnerLiability) => partnerName}
        columns={columns}
        empty={{ icon: <PayoutsIcon />, hint: booksWords.empty({ day: formatDate(day) }) }}
      />
      <NewestInvoices />
      {opened && <Journal accountId={accountId} day={day} onClose={() => setOpened(false)} />}
    </>
  )
}

type Sums = Pick<PartnerLiability, 'owed' | 'due' | 'later'> & { currency: string }

function columnsWith(sums: Sums | undefined): ColumnOf<typeof listLiability>[] {
  const currency = sums?.currency ?? 'usd'
  const figure = (field: 'owed' | 'due' | 'later', more: Partial<ColumnOf<typeof listLiability>> = {}) => ({
    head: booksWords[field],
    field,
    numeric: true,
    card: 'figure' as const,
    cell: (row: PartnerLiability) => <Money strong={field === 'owed'} amount={row[field]} currency={currency} />,
    total: () => sums && formatMoney(sums[field], currency),
    ...more,
  })
  return [
    column.partner(fieldWords.partner, { sort: 'name', total: () => fieldWords.total }),
    figure('owed', { sort: 'owed' }),
    figure('due'),
    figure('later'),
  ]
}
