import { decimalAmount } from '#contract/money.ts'
import { type ProviderJson, parseObject, parseObjects, parseText } from '../parse-values.ts'
import { type CodeMaking, type CodeToMake, PaymentProviderError } from '../provider.ts'
import { createShopifyApi, type ShopifyApi } from './api.ts'

const FIND = `query ($code: String!) {
  codeDiscountNodeByCode(code: $code) { id codeDiscount { ... on DiscountCodeBasic { title } } }
}`
const MAKE = `mutation ($discount: DiscountCodeBasicInput!) {
  discountCodeBasicCreate(basicCodeDiscount: $discount) { codeDiscountNode { id } userErrors { code message } }
}`
const TURN = {
  on: `mutation ($id: ID!) { discountCodeActivate(id: $id) { userErrors { code message } } }`,
  off: `mutation ($id: ID!) { discountCodeDeactivate(id: $id) { userErrors { code message } } }`,
}

export const codes: CodeMaking = {
  kind: 'discount',

  async tryRight(credentials, reach) {
    if (!(await createShopifyApi(credentials, reach).scopes()).has('write_discounts'))
      throw new PaymentProviderError(
        'forbidden',
        'The app can’t make discounts. Give it the write_discounts scope, then reinstall it.',
      )
  },

  find: (credentials, reach, code) => find(createShopifyApi(credentials, reach), code),

  async make(credentials, reach, code) {
    const api = createShopifyApi(credentials, reach)
    // Shopify has no idempotency keys: an earlier try may have made it
    const own = await find(api, code)
    if (own) return own
    const { discountCodeBasicCreate } = await api.graphql(MAKE, { discount: discountOf(code, reach.now) })
    const { codeDiscountNode, userErrors } = parseObject(discountCodeBasicCreate)
    if (isTaken(userErrors)) return find(api, code)
    refuse(userErrors)
    const id = parseText(parseObject(codeDiscountNode).id)
    if (!id) throw new PaymentProviderError('unavailable', 'Shopify made the discount without returning its ID.')
    return id
  },

  async turn(credentials, reach, madeId, on) {
    const data = await createShopifyApi(credentials, reach).graphql(on ? TURN.on : TURN.off, { id: madeId })
    refuse(parseObject(on ? data.discountCodeActivate : data.discountCodeDeactivate).userErrors)
  },
}

/** The title names the code by our id, by which it is found again. */
function discountOf({ id, code, rule, currency }: CodeToMake, now: Date): ProviderJson {
  const value =
    rule.percentOff === null
      ? { discountAmount: { amount: decimalAmount(rule.amountOff ?? 0, currency), appliesOnEachItem: false } }
      : { percentage: rule.percentOff / 100 }
  return {
    title: `${code} (Tributary ${id})`,
    code,
    startsAt: now.toISOString(),
    appliesOncePerCustomer: true,
    context: { all: 'ALL' },
    customerGets: { value, items: { all: true } },
  }
}

async function find(api: ShopifyApi, { id, code }: Pick<CodeToMake, 'id' | 'code'>) {
  const node = parseObject((await api.graphql(FIND, { code })).codeDiscountNodeByCode)
  const title = parseText(parseObject(node.codeDiscount).title, 500) ?? ''
  return title.endsWith(`(Tributary ${id})`) ? parseText(node.id) : null
}

const isTaken = (errors: unknown) =>
  parseObjects(errors).some(
    ({ code, message }) => code === 'TAKEN' || /must be unique|already been taken/i.test(String(message)),
  )

function refuse(errors: unknown) {
  const [error] = parseObjects(errors)
  if (!error) return
  const words = String(error.message)
  throw new PaymentProviderError(/does not exist|not found/i.test(words) ? 'missing' : 'invalid', words)
}
