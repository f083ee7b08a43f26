import { formatNumber, formatPlural, type Word } from '#contract/format.ts'

/** The words of groups of customers, and of what these are given. */
export const rewardWords = {
  kind: 'For',
  kinds: { partners: 'Partners', customers: 'Customers' },
  /** Their list, beside that of partners. */
  plural: 'customers',
  counted: ({ count, total }: { count: number; total: Word }) =>
    formatPlural(count, `${total} customer`, `${total} customers`),
  showCustomers: ({ count }: { count: number }) =>
    formatPlural(count, `Show ${formatNumber(count)} customer`, `Show ${formatNumber(count)} customers`),
  noneReferring: 'No one is in this group yet. Your app adds customers by API.',
  none: 'Customers appear here once your app adds them to a group for customers.',
  customer: 'Customer',
  referring: 'Referring customer',
  maxPerFriend: 'Limit per Friend',
  referred: 'Referred',
  rewards: 'Rewards',
  lastReward: 'Last reward',
  /** The discount for friends, by the promotion codes that a provider makes. */
  offer: 'Friend’s offer',
  offerHelp:
    'Each customer gets a promotion code of their own. It gives their friends a discount, and credits the customer.',
  offerOf: ({ provider, discount }: { provider: Word; discount: Word }) => `${provider}: ${discount} off`,
  noOfferOf: ({ provider }: { provider: Word }) => `${provider}: no discount`,
  setUpOffer: ({ provider }: { provider: Word }) => `Set up offer at ${provider}`,
  alsoLater: ({ provider }: { provider: Word }) =>
    `At ${provider}, people who paid before can use the code too. They bring no reward.`,
  noCodes: 'Connect a payment provider that makes promotion codes, such as Stripe.',
  toProviders: 'Go to payment providers',
  termsNext: 'You set the terms on the next page.',
  publicNameHelp: 'Customers see this name.',
  joinSlugHelp:
    'A page that says what friend and customer get. If you change or clear the address, the old one stops working.',
  joinSlugWaits: 'Gives customers a page that says what they get. It opens with your program page.',
  reward: 'Reward',
  as: 'Given As',
  forms: { money: 'Money', credit: 'Credit at Stripe', units: 'Your own units' },
  formsHelp: {
    money: 'Paid like partners’ commissions.',
    credit: 'Added to the customer’s balance, which pays their next bills.',
    units: 'Your system grants them and acknowledges each reward.',
  },
  connection: 'Connection',
  unnamed: 'Stripe',
  chooseConnection: 'Choose a connection',
  noConnection: 'Connect Stripe first.',
  unitName: 'Unit Name',
  unitNameHelp: 'Such as credits.',
  unitValue: 'Value of One Unit',
  unitValueHelp: 'Its cost to you.',
  automatic: 'Give automatically',
  automaticHelp: 'Due rewards are approved every night, up to your limits for automatic payouts.',
  money: 'Customers are paid in money.',
  credit: 'Customers are given credit on their balance at Stripe.',
  units: ({ units, value }: { units: Word; value: Word }) =>
    `Customers are given ${units}, each worth ${value}. Terms pay whole units, as amounts.`,
  noCustomer:
    'Your app names the customer at the payment provider. Until then, give it another way and mark it as paid.',
  customerDeleted: 'Your app names another customer. Until then, give it another way and mark it as paid.',
  customerCurrency: 'Credit is in the account’s currency alone. Give it another way and mark it as paid.',
  toCredit: 'Added at the payment provider shortly',
  toAcknowledge: 'Your system grants it and acknowledges it',
}
