import { useId, useMemo, useState } from 'react'
import type { DetailKind } from '#contract/detail-kinds.ts'
import { sepaCountries } from '#contract/payout-details.ts'
import type { PayoutForm } from '#contract/payout-form.ts'
import type { PayoutSettings } from '#contract/payout-settings.ts'
import { currencyChoices } from '../../shared/currencies.ts'
import { useAccount } from '../../shell/current.ts'
import { FormPanel } from '../../ui/contract-form.tsx'
import { FieldPair, RadioField, SelectField } from '../../ui/fields.tsx'
import { lazyComponent } from '../../ui/lazy-part.tsx'
import { payoutDetailsWords as words } from '../../words/payout-details.ts'
import { settingsWords } from '../../words/settings.ts'
import { DepositForm } from './DepositForm.tsx'
import type { DetailsFormProps } from './details-form.tsx'

const EuroForm = lazyComponent(async () => (await import('./EuroForm.tsx')).EuroForm)
const LocalForm = lazyComponent(async () => (await import('./LocalForm.tsx')).LocalForm)
const PayPalForm = lazyComponent(async () => (await import('./PayPalForm.tsx')).PayPalForm)

type DetailsKind = 'bank' | 'paypal'
type Where = { way: DetailsKind; country: string | null; currency: string | null }
type Props = DetailsFormProps & { now: PayoutSettings; form: PayoutForm }

/** Chooses how and where a partner is paid; the form for it follows. */
export function ChooseDetails({ now, form, ...props }: Props) {
  const { kinds, countries } = form
  const { defaultCurrency } = useAccount()
  const id = useId()
  const [where, setWhere] = useState<Where>(() => initialOf(now, form, defaultCurrency))
  const kind = kindOf(where, kinds)
  const country = countries.find(({ code }) => code === where.country)
  const heading =
    where.way === 'paypal' ? words.paypal : settingsWords.deposit.destination.bankIn({ country: country?.name ?? '' })
  const banks = kinds.filter((one) => one !== 'paypal')
  const currencies = useMemo(
    () => currencyChoices([...new Set(countries.map(({ currency }) => currency))].toSorted()),
    [countries],
  )
  const field = (name: string, label: string) => ({ id: `${id}${name}`, name, label, onBlur: () => undefined })
  return (
    <>
      <FormPanel heading={props.heading}>
        {props.onCancel && kind !== 'us-bank' && <p className="muted">{settingsWords.deposit.replacing}</p>}
        {kinds.includes('paypal') && banks.length > 0 && (
          <RadioField
            {...field('way', words.how)}
            value={where.way}
            choices={[
              { value: 'bank', label: words.bank },
              { value: 'paypal', label: words.paypal },
            ]}
            onChange={(way) => setWhere({ ...where, way })}
          />
        )}
        {where.way === 'bank' && (
          <FieldPair>
            <SelectField
              {...field('country', settingsWords.deposit.bankCountry)}
              value={where.country}
              placeholder={words.chooseCountry}
              choices={countries.map(({ code, name }) => ({ value: code, label: name }))}
              onChange={(code) => setWhere({ ...where, country: code, currency: usual(form, code) })}
            />
            <SelectField
              {...field('currency', words.currency)}
              value={where.currency}
              placeholder={words.ofCountry}
              disabled={!kinds.includes('local-bank') || where.country === null}
              choices={currencies}
              onChange={(currency) => setWhere({ ...where, currency })}
            />
          </FieldPair>
        )}
      </FormPanel>
      {kind === 'us-bank' && <DepositForm {...props} heading={heading} />}
      {kind === 'iban' && <EuroForm {...props} heading={heading} countries={countries} country={where.country!} />}
      {kind === 'paypal' && <PayPalForm {...props} heading={heading} />}
      {kind === 'local-bank' && (
        <LocalForm
          key={`${where.country} ${where.currency}`}
          {...props}
          heading={heading}
          country={where.country!}
          currency={where.currency!}
        />
      )}
    </>
  )
}

const usual = ({ countries }: PayoutForm, code: string | null) =>
  countries.find((country) => country.code === code)?.currency ?? null

/** Starts with the present destination; without one, in dollars, with the United States. */
function initialOf(now: PayoutSettings, form: PayoutForm, defaultCurrency: string): Where {
  const { kinds } = form
  const bank = kinds.some((kind) => kind !== 'paypal')
  const way =
    !bank || (now.depositInfo && 'kind' in now.depositInfo && now.depositInfo.kind === 'paypal') ? 'paypal' : 'bank'
  if (now.country && usual(form, now.country)) return { way, country: now.country, currency: now.currency }
  const country = defaultCurrency === 'usd' && kinds.includes('us-bank') ? 'US' : null
  return { way, country, currency: country && 'usd' }
}

/** The kind of details for a place: the United States and euros in Europe have forms of their own. */
function kindOf({ way, country, currency }: Where, kinds: readonly DetailKind[]): DetailKind | null {
  const wanted: DetailKind[] =
    way === 'paypal'
      ? ['paypal']
      : country === null || currency === null
        ? []
        : country === 'US' && currency === 'usd'
          ? ['us-bank']
          : sepaCountries.includes(country) && currency === 'eur'
            ? ['iban']
            : ['local-bank']
  return wanted.find((kind) => kinds.includes(kind)) ?? null
}
