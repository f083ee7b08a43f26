import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import {
  codeMoments,
  listCoupons,
  NewCodeRule,
  type PromotionCodeRule,
  type ProviderConnection,
  saveCodeRule,
} from '#contract/payment-providers.ts'
import { apiQuery } from '../../calls.ts'
import { defineAction } from '../../ui/act.tsx'
import { exposeAction } from '../../ui/actions.tsx'
import { MoneyField, RadioField, RateField, SelectField, TextField } from '../../ui/fields.tsx'
import { FieldPair } from '../../ui/form.tsx'
import { defineFormAction } from '../../ui/form-act.tsx'
import { basicWords } from '../../words/basic.ts'
import { paymentProviderWords } from '../../words/payment-providers.ts'

type Made = { connection: ProviderConnection; name: string; kind: 'coupon' | 'discount' }

const words = paymentProviderWords.codes
const moments = codeMoments.map((value) => ({ value, label: words.moments[value] }))
const usual: PromotionCodeRule = {
  when: 'approval',
  pattern: '{name}10',
  couponId: null,
  percentOff: null,
  amountOff: null,
}

const paramsOf = ({ id: connectionId, accountId: id }: ProviderConnection) => ({ id, connectionId })

/** Chooses the discount and the pattern of the codes; the key is checked when they are saved. */
export const MakeCodes = defineFormAction(
  saveCodeRule,
  z.strictObject({ rule: NewCodeRule }),
  ({ connection, name, kind }: Made) => {
    const coupons = useQuery({ ...apiQuery(listCoupons, { params: paramsOf(connection) }), enabled: kind === 'coupon' })
    const choices = coupons.data?.items.map(({ id, name: label }) => ({ value: id, label })) ?? []
    const currency = connection.defaultCurrency ?? 'usd'
    return {
      heading: words.heading({ provider: name }),
      why: words.why,
      submit: words.start,
      done: words.saved,
      initial: { rule: connection.codeRule ?? usual },
      check: ({ rule }) => ({
        'rule.couponId':
          kind === 'coupon' && !rule.couponId ? basicWords.rules.required({ label: words.coupon }) : undefined,
        'rule.percentOff':
          kind === 'discount' && (rule.percentOff === null) === (rule.amountOff === null) ? words.oneOfTwo : undefined,
      }),
      send: (body) => ({ params: paramsOf(connection), body }),
      fields: ({ field }) => (
        <>
          <RadioField {...field('rule.when', words.when)} choices={moments} />
          {kind === 'coupon' ? (
            <SelectField
              {...field('rule.couponId', words.coupon)}
              choices={choices}
              placeholder={coupons.isPending ? words.loadingCoupons : words.chooseCoupon}
              error={coupons.error ? coupons.error.message : field('rule.couponId', words.coupon).error}
              help={words.couponHelp({ provider: name })}
            />
          ) : (
            <FieldPair>
              <RateField {...field('rule.percentOff', words.percentOff)} optional help={words.oneOfTwo} />
              <MoneyField {...field('rule.amountOff', words.amountOff)} currency={currency} optional />
            </FieldPair>
          )}
          <TextField
            {...field('rule.pattern', words.pattern)}
            help={words.patternHelp}
            autoComplete="off"
            spellCheck={false}
          />
        </>
      ),
    }
  },
)

export const StopCodes = exposeAction(
  defineAction(saveCodeRule, ({ connection }: { connection: ProviderConnection }) => ({
    heading: words.stop,
    submit: words.stop,
    why: words.stopWhy,
    done: words.stopped,
    send: { params: paramsOf(connection), body: { rule: null } },
  })),
  { label: words.stop, when: ({ connection }) => connection.codeRule !== null },
)
