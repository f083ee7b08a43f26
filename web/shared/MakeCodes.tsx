import { useQuery } from '@tanstack/react-query'
import {
  codeMoments,
  listCoupons,
  NewCodeRule,
  type PromotionCodeRule,
  type ProviderConnection,
  saveCodeRule,
} from '#contract/payment-providers.ts'
import { apiQuery } from '../calls.ts'
import { defineAction } from '../ui/act.tsx'
import { exposeAction } from '../ui/actions.tsx'
import { MoneyField, RadioField, RateField, SelectField, TextField } from '../ui/fields.tsx'
import { FieldPair } from '../ui/form.tsx'
import { defineFormAction } from '../ui/form-act.tsx'
import { basicWords } from '../words/basic.ts'
import { paymentProviderWords } from '../words/payment-providers.ts'

/** With `groupId` the rule is for this group alone, and comes first. */
type Made = { connection: ProviderConnection; name: string; kind: 'coupon' | 'discount'; groupId?: string }

const words = paymentProviderWords.codes
const moments = codeMoments.map((value) => ({ value, label: words.moments[value] }))
const usual: PromotionCodeRule = {
  when: 'approval',
  pattern: '{name}10',
  couponId: null,
  percentOff: null,
  amountOff: null,
}

/** The rule as it is typed, with the groups that it is for. */
const typed = ({ when, pattern, couponId, percentOff, amountOff, groupIds = null }: PromotionCodeRule) => ({
  when,
  pattern,
  couponId,
  percentOff: couponId ? null : percentOff,
  amountOff: couponId ? null : amountOff,
  groupIds,
})

const isForGroupAlone = ({ groupIds }: PromotionCodeRule, groupId: string) =>
  groupIds?.length === 1 && groupIds[0] === groupId

const paramsOf = ({ id: connectionId, accountId: id }: ProviderConnection) => ({ id, connectionId })

/** Chooses the discount and the pattern of the codes; the key is checked when they are saved. */
export const MakeCodes = defineFormAction(saveCodeRule, NewCodeRule, ({ connection, name, kind, groupId }: Made) => {
  const coupons = useQuery({ ...apiQuery(listCoupons, { params: paramsOf(connection) }), enabled: kind === 'coupon' })
  const choices = coupons.data?.items.map(({ id, name: label }) => ({ value: id, label })) ?? []
  const currency = connection.defaultCurrency ?? 'usd'
  const { codeRules } = connection
  const own = groupId === undefined ? codeRules[0] : codeRules.find((rule) => isForGroupAlone(rule, groupId))
  return {
    heading: words.heading({ provider: name }),
    why: words.why,
    submit: words.start,
    done: words.saved,
    initial: typed({ ...(own ?? usual), ...(groupId !== undefined && { groupIds: [groupId] }) }),
    check: ({ couponId, percentOff, amountOff }) => ({
      couponId: kind === 'coupon' && !couponId ? basicWords.rules.required({ label: words.coupon }) : undefined,
      percentOff: kind === 'discount' && (percentOff === null) === (amountOff === null) ? words.oneOfTwo : undefined,
    }),
    part: 'rules.0',
    // the other rules stay
    send: (rule) => ({
      params: paramsOf(connection),
      body: { rules: [rule, ...codeRules.filter((one) => one !== own).map(typed)] },
    }),
    fields: ({ field }) => (
      <>
        <RadioField {...field('when', words.when)} choices={moments} />
        {kind === 'coupon' ? (
          <SelectField
            {...field('couponId', words.coupon)}
            choices={choices}
            placeholder={coupons.isPending ? words.loadingCoupons : words.chooseCoupon}
            error={coupons.error ? coupons.error.message : field('couponId', words.coupon).error}
            help={words.couponHelp({ provider: name })}
          />
        ) : (
          <FieldPair>
            <RateField {...field('percentOff', words.percentOff)} optional help={words.oneOfTwo} />
            <MoneyField {...field('amountOff', words.amountOff)} currency={currency} optional />
          </FieldPair>
        )}
        <TextField
          {...field('pattern', words.pattern)}
          help={words.patternHelp}
          autoComplete="off"
          spellCheck={false}
        />
      </>
    ),
  }
})

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
