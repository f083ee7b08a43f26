import { useMemo } from 'react'
import type { Account } from '#contract/accounts.ts'
import { formatList } from '#contract/format.ts'
import { downloadExchangeRates, enterExchangeRate, type listExchangeRates, NewExchangeRate } from '#contract/sales.ts'
import { formatExchangeRate, todayIn } from '../../format.ts'
import { DataTable } from '../../lists/DataTable.tsx'
import type { ColumnOf } from '../../lists/list-types.ts'
import { useList } from '../../lists/useList.ts'
import { defineColumns } from '../../shared/columns.tsx'
import { currencyChoices } from '../../shared/currencies.ts'
import { exposeAction } from '../../ui/actions.tsx'
import { DateField, DecimalField, SelectField } from '../../ui/fields.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { PlusIcon } from '../../ui/icons.tsx'
import { ActButton } from '../../ui/offers.tsx'
import { fieldWords } from '../../words/fields.ts'
import { settingsWords } from '../../words/settings.ts'
import { exchangeRates } from './queries.ts'

const column = defineColumns<typeof listExchangeRates>()

/** Exchange rates of other currencies; empty until the account has a sale in one. */
export function ExchangeRates({ account }: { account: Account }) {
  const list = useList(exchangeRates({ id: account.id }))
  const { answer } = list
  const columns = useMemo(listColumns, [])
  const currencies = answer.data?.currencies ?? []
  if (currencies.length === 0 && !answer.isError) return null
  const unknown = currencies.find((code) => !answer.data?.items.some(({ currency }) => currency === code))
  const codes = currencies.map((code) => code.toUpperCase())
  return (
    <DataTable
      headed
      name={settingsWords.exchangeRates.name}
      plural={settingsWords.exchangeRates.plural}
      rowsAre="rates"
      searchable={false}
      list={list}
      csv={{ endpoint: downloadExchangeRates }}
      choice={
        <ActButton
          icon={<PlusIcon size={16} />}
          act={AddRate}
          of={{ ...account, currency: unknown ?? currencies[0] ?? null }}
        />
      }
      columns={columns}
      keyOf={({ source, currency, date }) => `${source} ${currency} ${date}`}
      nameOf={({ currency }) => currency.toUpperCase()}
      empty={{
        hint: settingsWords.exchangeRates.empty({ currencies: formatList(codes) }),
      }}
    />
  )
}

const listColumns = (): ColumnOf<typeof listExchangeRates>[] => [
  column.first(['currency'], fieldWords.currency, {}, ({ currency }) => currency.toUpperCase()),
  column.date('date', fieldWords.date, { sort: true, card: 'under' }),
  column.of('rate', fieldWords.rate, { numeric: true, card: 'figure' }, ({ rate, source }) =>
    formatExchangeRate(rate, source === 'ecb'),
  ),
  column.of(
    'source',
    fieldWords.source,
    { card: 'beside' },
    ({ source }) => settingsWords.exchangeRates.sources[source],
  ),
]

/** Adds an exchange rate; `currency` is preselected. */
const AddRate = exposeAction(
  defineFormAction(
    enterExchangeRate,
    NewExchangeRate,
    ({ defaultCurrency, timeZone, currency }: Account & { currency: string | null }) => ({
      heading: settingsWords.exchangeRates.add,
      why: settingsWords.exchangeRates.why,
      done: settingsWords.exchangeRates.done,
      initial: { currency, date: todayIn(timeZone), rate: '' as number | string },
      fields: ({ field, values }) => (
        <>
          <SelectField
            {...field('currency')}
            choices={currencyChoices().filter(({ value }) => value !== defaultCurrency)}
          />
          <DateField {...field('date')} help={settingsWords.exchangeRates.dateHelp} />
          <DecimalField
            {...field('rate')}
            help={settingsWords.exchangeRates.rateHelp({
              from: (values.currency ?? '').toUpperCase(),
              to: defaultCurrency.toUpperCase(),
            })}
          />
        </>
      ),
    }),
  ),
  { label: settingsWords.exchangeRates.add },
)
