import { chosenField, type FormRow, fixedField, textField } from '#test/support/form-fields.ts'
import type { Prepare, Story } from '#test/support/operations.ts'
import type { SweptScreen } from '#test/support/screens.ts'
import type { Limit } from '#test/support/sweep.ts'
import { MOST_PATHS } from './contract.ts'
import { calls, checkId } from './examples.ts'

/** Saves the embed code and starts a check of a page. */
async function prepareCheck({ app, account, post }: Story) {
  const path = `/accounts/${account.id}/embed-code`
  await app.api('PUT', path, { token: account.token, body: calls.saveEmbedCode.body })
  const check = await post(`${path}/checks`, calls.startEmbedCheck.body)
  return { instead: { [checkId]: check.id } }
}

export const preparations = {
  getEmbedCode: prepareCheck,
  startEmbedCheck: prepareCheck,
  getEmbedCheck: prepareCheck,
} satisfies Record<string, Prepare>

export const requiredRights = { saveEmbedCode: 'earn', startEmbedCheck: 'earn' }

const embedCode = { role: 'owner', path: '/integrations/embed-code', h1: 'Embed Code' } as const
const elements = ['First Name', 'Last Name', 'Email', 'Phone', 'Fields Container', 'Submit Button']
const selectors = elements.flatMap((element) => [`${element} Selector Type`, `${element} Selector Value`])
export const screens: SweptScreen[] = [
  {
    ...embedCode,
    buttons: ['Play a sale through', 'Save changes', 'Copy code', 'Pick on my page', 'Verify on my site'],
    labels: ['Forms', ...selectors, 'Allowed Domains', 'Only referred visitors', 'Consent Mode', 'Frame Hosts'],
  },
]
export const emptyScreens: [path: string, h1: string][] = [[embedCode.path, embedCode.h1]]

export const forms: FormRow[] = [
  {
    name: 'embed code',
    who: 'owner',
    path: embedCode.path,
    h1: embedCode.h1,
    submit: 'Save changes',
    fields: {
      'First Name Selector Type': chosenField('Query selector'),
      'First Name Selector Value': textField('config.firstName.selectorValue', 500),
      'Email Selector Type': chosenField('ID'),
      'Email Selector Value': fixedField(
        'config.email.selectorValue',
        '#mail',
        ['#<script>', 'Enter # and a letter, then letters, digits, - _ : or .'],
        ['שלום', 'Enter # and a letter, then letters, digits, - _ : or .'],
      ),
      'Phone Selector Type': chosenField('Name'),
      'Phone Selector Value': textField('config.phone.selectorValue', 500),
      'Checkout Domains': { path: 'checkoutDomains', typed: 'pay.acme.example', how: 'tag' },
      'Script Name': fixedField(
        'path',
        'acme-shop',
        ['ab', 'Use 3 to 40 letters, digits or hyphens'],
        ['a/b', 'Use 3 to 40 letters, digits or hyphens'],
      ),
    },
    said: 'Embed code saved',
    again: embedCode.path,
  },
  {
    name: 'frame hosts',
    who: 'owner',
    path: embedCode.path,
    h1: embedCode.h1,
    submit: 'Save changes',
    fields: { 'Frame Hosts': { path: 'frameHosts', typed: 'app.acme.example', how: 'tag' } },
    said: 'Embed code saved',
  },
]

export const limits: Limit[] = [
  {
    table: 'have',
    row: ['addresses that an embed script has ever had', `${MOST_PATHS}`],
    refusals: ['too_many_embed_paths'],
  },
]
