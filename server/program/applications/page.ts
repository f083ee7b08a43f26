import { LONGEST_ANSWER, type Question } from '#contract/applications.ts'
import { decimalAmount, fromDecimal, minorDigits, moneyInWords } from '#contract/money.ts'
import { escapeHtml, parseProse, proseHtml, proseText } from '#contract/prose.ts'
import { termsInWords } from '#contract/terms-in-words.ts'
import { countInWords, countryInWords, dayInWords } from '../../platform/format-values.ts'
import { dayIn } from '../../platform/time/days.ts'
import type { AgreementRow } from '../agreement/versions.ts'
import { type Look, logoUrl } from '../assets/files.ts'
import type { Promised } from '../sales/promised-commission.ts'
import { LONGEST_EMAIL, LONGEST_NAME } from './form.ts'
import type { PageFacts } from './page-facts.ts'
import { pageStyle } from './page-style.ts'

/** Values of a request, in addition to the facts of a page. */
export type PageRequest = {
  /** The origin of the account's addresses, without a trailing slash. */
  origin: string
  /** Today in the account's time zone. */
  today: string
  /** The signed time of the form. */
  issued: string
  /** Amount of the example, as typed. */
  amount?: string | undefined
  /** The recruiting partner, by the code in the address. */
  by?: { code: string; firstName: string | null } | undefined
  /** Values of a submitted form that is shown again. */
  typed?: Readonly<Record<string, string>> | undefined
  wrong?: Readonly<Record<string, string>> | undefined
  notice?: string | undefined
}

const DESCRIPTION = 160
const LARGEST_EXAMPLE = 1_000_000

/** Returns the account's name for strangers, within a sentence. */
const nameOf = ({ name }: PageFacts['account'], otherwise: string) => name ?? otherwise

export const formatHeadline = ({ account, program }: PageFacts) =>
  program.headline ?? (account.name ? `Become a partner of ${account.name}` : 'Become a partner')

/** Writes the public page of a program, which needs nothing else: no script, file or foreign address. */
export function programPage(facts: PageFacts, asked: PageRequest): string {
  const { program, group, path } = facts
  const { text, rules, indexed } = program
  const headline = formatHeadline(facts)
  const named = group?.publicName ? `${headline} – ${group.publicName}` : headline
  const isOpen = program.state === 'open' && !facts.isFull
  return document({
    title: asked.wrong || asked.notice ? `Error: ${named}` : named,
    description: descriptionOf(facts),
    indexed,
    url: asked.origin + path,
    look: facts.look,
    picture: logoUrl(asked.origin, facts.look),
    body: [
      '<header>',
      ...nameAndLogo(facts),
      `<h1>${escapeHtml(headline)}</h1>`,
      group?.publicName && `<p class="name">${escapeHtml(group.publicName)}</p>`,
      asked.by && isOpen && `<p class="muted">Invited by ${escapeHtml(asked.by.firstName ?? 'a partner')}</p>`,
      '</header>',
      earnings(facts, asked),
      howPaid(facts),
      visits(facts),
      section('About', proseHtml(parseProse(text))),
      section('Not allowed', proseHtml(parseProse(rules))),
      section('Apply', isOpen ? form(facts, asked) : '<p>We’re not taking applications right now.</p>', 'apply'),
    ],
    footer: `<p class="muted">Already a partner? <a href="${escapeHtml(asked.origin)}/auth/sign-in">Sign in</a></p>`,
  })
}

/** The page after the form was sent, alike for everyone. */
export const thanksPage = (facts: PageFacts, { origin, byMail }: { origin: string; byMail: boolean }) =>
  document({
    title: 'Thank you',
    description: descriptionOf(facts),
    indexed: false,
    url: origin + facts.path,
    look: facts.look,
    picture: logoUrl(origin, facts.look),
    body: [
      '<header>',
      ...nameAndLogo(facts),
      '<h1>Thank you</h1></header>',
      `<section><p>${byMail ? 'Check your email to confirm your application.' : 'Your application was sent.'}</p></section>`,
    ],
  })

/** The text of a version of the partner agreement. */
export function agreementPage(facts: PageFacts, shown: AgreementRow, origin: string): string {
  const { account, program, path, agreement: newest } = facts
  const { version, changes, text, publishedAt } = shown
  const url = `${origin}/join/${program.slug}/agreement`
  const published = dayInWords(dayIn(account.timeZone, new Date(publishedAt)))
  return document({
    title: account.name ? `Partner agreement of ${account.name}` : 'Partner agreement',
    description: `Version ${version}, published ${published}.`,
    indexed: program.indexed && version === newest,
    url,
    look: facts.look,
    picture: logoUrl(origin, facts.look),
    body: [
      '<header>',
      ...nameAndLogo(facts),
      '<h1>Partner agreement</h1>',
      `<p class="muted">Version ${version}, published ${published}</p>`,
      '</header>',
      version !== newest &&
        `<p class="notice">This version was replaced. <a href="${path}/agreement">Read version ${newest}</a></p>`,
      section('What changed', changes === null ? '' : `<p>${escapeHtml(changes)}</p>`),
      `<section>${proseHtml(parseProse(text), 2)}</section>`,
    ],
    footer: `<p class="muted"><a href="${path}">About the program</a></p>`,
  })
}

const nameAndLogo = ({ account, look: { logo } }: PageFacts) => [
  logo && `<img class="logo" src="${escapeHtml(logo.path)}" alt="" width="${logo.width}" height="${logo.height}">`,
  account.name && `<p class="name">${escapeHtml(account.name)}</p>`,
]

/** Alike for an address that was never there and a page that is off. */
export const noPage = () =>
  document({
    title: 'This page doesn’t exist',
    description: 'The address is mistyped, or the page was removed.',
    indexed: false,
    body: [
      '<header><h1>This page doesn’t exist</h1></header>',
      '<p>The address is mistyped, or the page was removed.</p>',
    ],
  })

/** Shown to a network that sent too many forms; `wait` is when to try again. */
export const waitPage = (wait: string) =>
  document({
    title: 'Error: please wait',
    description: wait,
    indexed: false,
    body: ['<header><h1>Please wait</h1></header>', `<p>${escapeHtml(wait)} Then go back and send the form again.</p>`],
  })

type Document = {
  title: string
  description: string
  indexed: boolean
  url?: string
  look?: Look
  /** Shown in previews of links to the page. */
  picture?: string | null
  body: (string | false | null | undefined)[]
  footer?: string
}

const document = ({ title, description, indexed, url, look, picture, body, footer }: Document) =>
  [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${escapeHtml(title)}</title>`,
    `<meta name="description" content="${escapeHtml(description)}">`,
    !indexed && '<meta name="robots" content="noindex">',
    url && `<link rel="canonical" href="${escapeHtml(url)}">`,
    url && `<meta property="og:url" content="${escapeHtml(url)}">`,
    '<meta property="og:type" content="website">',
    `<meta property="og:title" content="${escapeHtml(title)}">`,
    `<meta property="og:description" content="${escapeHtml(description)}">`,
    picture && `<meta property="og:image" content="${escapeHtml(picture)}">`,
    `<style>${pageStyle(look?.accent ?? null).text}</style>\n</head>\n<body>\n<main>`,
    ...body,
    '</main>',
    footer && `<footer>${footer}</footer>`,
    '</body>\n</html>\n',
  ]
    .filter(Boolean)
    .join('\n')

function descriptionOf({ account, program }: PageFacts) {
  const words = proseText(parseProse(program.text)).join(' ').replace(/\s+/g, ' ')
  const signs = [...(words || `Join the partner program of ${nameOf(account, 'this company')}.`)]
  return signs.length > DESCRIPTION
    ? `${signs
        .slice(0, DESCRIPTION - 1)
        .join('')
        .trimEnd()}…`
    : signs.join('')
}

const section = (heading: string, content: string, id = heading.toLowerCase().replaceAll(' ', '-')) =>
  content && `<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h">${heading}</h2>${content}</section>`

const paysSomething = ({ terms }: Promised) =>
  [terms.otherwise, ...terms.rules].some((pay) => (pay.layerRates ?? pay.layerAmounts ?? [])[0]! > 0)

/** Lists the terms in force, and computes an example; nothing if nothing is paid. */
function earnings(facts: PageFacts, asked: PageRequest) {
  const paid = facts.promised.filter(paysSomething)
  if (paid.length === 0) return ''
  const { recurringMonths } = facts.account
  return section(
    'What you earn',
    [
      ...facts.promised.map((promised) => termsOf(promised, facts.account.defaultCurrency)),
      recurringMonths !== null &&
        `<p>A subscription earns for its first ${countInWords(recurringMonths, 'month')}.</p>`,
      example(facts, asked),
    ]
      .filter(Boolean)
      .join(''),
    'earn',
  )
}

function termsOf({ linkName, terms }: Promised, currency: string) {
  const { lines, caps } = termsInWords(terms, {
    reader: 'partner',
    money: (amount) => moneyInWords(amount, currency),
    rate: (percent) => `${percent}%`,
    country: countryInWords,
  })
  const rows = lines.map(({ what, pays }) => `<div><dt>${escapeHtml(what)}</dt><dd>${escapeHtml(pays)}</dd></div>`)
  return [
    linkName === null ? '' : `<h3>With the link “${escapeHtml(linkName)}”</h3>`,
    `<dl>${rows.join('')}</dl>`,
    ...caps.map((cap) => `<p>${escapeHtml(cap)}.</p>`),
  ].join('')
}

/** Returns the amount of the example in minor units; null for one that is none. */
function amountIn(typed: string, currency: string) {
  const amount = /^\d{1,7}([.,]\d{1,3})?$/.test(typed.trim())
    ? fromDecimal(typed.trim().replace(',', '.'), currency)
    : 0
  return amount && amount <= LARGEST_EXAMPLE * 10 ** minorDigits(currency) ? amount : null
}

function example({ account, promised, path }: PageFacts, { amount = '', by, today }: PageRequest) {
  const { defaultCurrency: currency } = account
  const usual = 100 * 10 ** minorDigits(currency)
  const given = amount === '' ? usual : amountIn(amount, currency)
  const isFirst = promised.some(({ terms }) => terms.rules.length > 0)
  const results = promised.map(({ linkName, earnedOf }) => {
    const earned = moneyInWords(earnedOf(given ?? usual, today), currency)
    return linkName === null
      ? `you earn <strong>${earned}</strong>`
      : `with “${escapeHtml(linkName)}” <strong>${earned}</strong>`
  })
  const value = given === null ? amount : decimalAmount(given, currency)
  return [
    `<form method="get" action="${path}#earn"><p class="example">`,
    by && `<input type="hidden" name="by" value="${escapeHtml(by.code)}">`,
    `<label for="amount">For a ${isFirst ? 'customer’s first sale' : 'sale'} of</label>`,
    `<input id="amount" name="amount" inputmode="decimal" maxlength="12" value="${escapeHtml(value.slice(0, 20))}"${given === null ? ' aria-invalid="true" aria-describedby="amount-wrong"' : ''}>`,
    `<span>${currency.toUpperCase()}</span>`,
    given === null
      ? `<span class="wrong" id="amount-wrong">Enter an amount from ${decimalAmount(1, currency)} to 1,000,000</span>`
      : `<span>${results.join(', ')}</span>`,
    '<button>Calculate</button></p></form>',
  ]
    .filter(Boolean)
    .join('')
}

function howPaid({ howPaid: sentences }: PageFacts) {
  const all = [...sentences, 'Before your first payout, accept the invitation and add your payout details.']
  return section('How you are paid', `<ul>${all.map((one) => `<li>${escapeHtml(one)}</li>`).join('')}</ul>`, 'paid')
}

function visits({ cookieDays, attribution }: PageFacts) {
  if (cookieDays === null) return ''
  const credit = {
    'last-touch': 'If someone follows several partners’ links, the last one counts.',
    'first-touch': 'If someone follows several partners’ links, the first one counts.',
  }
  return section(
    'How visits count',
    `<ul><li>A visit through your link counts for up to ${countInWords(cookieDays, 'day')}.</li>${attribution ? `<li>${credit[attribution]}</li>` : ''}</ul>`,
    'visits',
  )
}

type Field = {
  name: string
  label: string
  typed: string
  wrong: string | undefined
  required: boolean
  longest: number
}

function form({ program, path, agreement }: PageFacts, asked: PageRequest) {
  const { typed = {}, wrong = {}, by, issued, notice } = asked
  const field = (name: string, label: string, longest: number, required = true): Field => ({
    name,
    label,
    required,
    longest,
    typed: (typed[name] ?? '').slice(0, longest).toWellFormed(),
    wrong: wrong[name],
  })
  const message = notice ?? (Object.keys(wrong).length > 0 ? 'Please check the fields below.' : undefined)
  const input = (given: Field, more: string) =>
    framed(given, (ids) => `<input ${ids} ${more} maxlength="${given.longest}" value="${escapeHtml(given.typed)}">`)
  return [
    message && `<p class="notice" role="alert">${escapeHtml(message)}</p>`,
    `<form method="post" action="${path}#apply">`,
    '<div class="pair">',
    input(field('firstName', 'First Name', LONGEST_NAME), 'autocomplete="given-name"'),
    input(field('lastName', 'Last Name', LONGEST_NAME), 'autocomplete="family-name"'),
    '</div>',
    input(field('email', 'Email', LONGEST_EMAIL), 'type="email" autocomplete="email"'),
    ...program.questions.map((question, at) =>
      asQuestion(question, field(`q${at}`, question.label, LONGEST_ANSWER, question.required)),
    ),
    agreement !== null && asAgreement(path, agreement, field('agreement', '', LONGEST_ANSWER)),
    '<p class="fax"><label for="fax">Leave this field empty</label>',
    '<input id="fax" name="fax" tabindex="-1" autocomplete="off"></p>',
    `<input type="hidden" name="issued" value="${escapeHtml(issued)}">`,
    by && `<input type="hidden" name="by" value="${escapeHtml(by.code)}">`,
    '<button>Apply</button></form>',
  ]
    .filter(Boolean)
    .join('')
}

/** The box is ticked again only for the version that was read. */
function asAgreement(path: string, version: number, field: Field) {
  const { typed, wrong } = field
  const described = wrong ? ' aria-invalid="true" aria-describedby="agreement-wrong"' : ''
  return [
    '<div class="field"><label class="choice" for="agreement">',
    `<input id="agreement" type="checkbox" name="agreement" value="${version}"${typed === `${version}` ? ' checked' : ''} required${described}>`,
    `I accept the <a href="${path}/agreement" target="_blank" rel="noopener">partner agreement</a></label>`,
    `${wrongOf(field)}</div>`,
  ].join('')
}

const labelOf = ({ label, required }: Field) =>
  `${escapeHtml(label)}${required ? '' : ' <span class="hint">(optional)</span>'}`

/** A field with its label and what is wrong with it. */
function framed(field: Field, control: (ids: string) => string) {
  const { name, wrong, required } = field
  const ids = `id="${name}" name="${name}"${required ? ' required' : ''}${wrong ? ` aria-invalid="true" aria-describedby="${name}-wrong"` : ''}`
  return `<div class="field"><label for="${name}">${labelOf(field)}</label>${control(ids)}${wrongOf(field)}</div>`
}

const wrongOf = ({ name, wrong }: Field) =>
  wrong ? `<p class="wrong" id="${name}-wrong">${escapeHtml(wrong)}</p>` : ''

function asQuestion({ kind, choices }: Question, field: Field) {
  const { name, typed, required, wrong } = field
  if (kind === 'choice')
    return framed(field, (ids) => {
      const options = choices.map((one) => `<option${one === typed ? ' selected' : ''}>${escapeHtml(one)}</option>`)
      return `<select ${ids}><option value="">Choose</option>${options.join('')}</select>`
    })
  if (kind === 'yes-no') {
    const described = wrong ? ` aria-describedby="${name}-wrong"` : ''
    const radios = ['Yes', 'No'].map(
      (one) =>
        `<label class="choice"><input type="radio" name="${name}" value="${one}"${one === typed ? ' checked' : ''}${required ? ' required' : ''}>${one}</label>`,
    )
    return `<fieldset class="field"${described}><legend>${labelOf(field)}</legend>${radios.join('')}${wrongOf(field)}</fieldset>`
  }
  if (kind === 'url')
    return framed(
      field,
      (ids) =>
        `<input ${ids} type="url" placeholder="https://" maxlength="${field.longest}" value="${escapeHtml(typed)}">`,
    )
  return framed(field, (ids) => `<textarea ${ids} maxlength="${field.longest}">${escapeHtml(typed)}</textarea>`)
}
