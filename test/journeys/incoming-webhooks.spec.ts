import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import {
  deliveryRows,
  formNamed,
  list,
  postPayload,
  pressAction,
  statusMessage,
} from '../support/incoming-webhooks-screens.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading } from '../support/journey.ts'
import { callAsOwner, owner, prepareOwner, site } from '../support/owner-fixture.ts'
import { expect, test } from '../support/test.ts'

// An owner adds, maps, tries, watches, repairs and deletes incoming webhooks, with a form that sends to them.

prepareOwner()

/** A form builder's payload: answers in a list, each naming its question. */
const aForm = (email: string, ref = 'jane') => ({
  event_id: `event-${email}`,
  form_response: {
    token: `token-${email}`,
    hidden: { ref },
    answers: [
      { type: 'text', text: 'Hannah', field: { ref: 'first_name' } },
      { type: 'text', text: 'Cole', field: { ref: 'last_name' } },
      { type: 'email', email, field: { ref: 'email' } },
    ],
  },
})

/** Returns a body as this sender sends it, by partner Jane. */
async function bodyOf(sender: string, name: string) {
  const file = new URL(`../../server/integrations/incoming-webhooks/senders/${sender}/${name}.json`, import.meta.url)
  return JSON.stringify(JSON.parse((await readFile(file, 'utf8')).replaceAll('{jane}', 'jane')))
}

/** Sends a body signed as most senders do. */
async function sendSigned(url: string, body: string, [header, prefix]: [header: string, prefix: string]) {
  const signature = createHmac('sha256', 'of the sender').update(body).digest('base64')
  const headers = { 'content-type': 'application/json', [header]: `${prefix}${signature}` }
  expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200)
}

const addJane = () =>
  callAsOwner('POST', `/accounts/${owner.id}/partners`, {
    firstName: 'Jane',
    lastName: 'Whitfield',
    email: 'jane@partner.example',
    referralCode: 'jane',
  })

async function beginWith(page: Page, sender: string) {
  await openAs(page, site, owner, `${list}/new`)
  const add = formNamed(page, 'Add incoming webhook')
  await add.getByLabel('Sender').selectOption(sender)
  await add.getByLabel('Name', { exact: true }).fill(`Our ${sender}`)
  await add.getByLabel('Secret', { exact: true }).fill('of the sender')
  await expectAccessibleInBothThemes(page)
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByText('Waiting for a sample…')).toBeVisible()
  return { add, url: await add.getByLabel('Send a POST to').inputValue() }
}

test('Typeform is added by its recipe, and the field of the owner’s own form from a sample', async ({
  page,
  complaints,
}) => {
  await addJane()
  const typeform = ['typeform-signature', 'sha256='] as [string, string]
  const { add, url } = await beginWith(page, 'Typeform')
  await expect(add.getByRole('list').first().getByRole('listitem')).toHaveText([
    /^In Typeform, open the form/,
    /^Paste the URL/,
    'Turn the webhook on',
    /hidden field named ref/,
  ])
  expect((await fetch(url)).status).toBe(200)
  await expect(page.getByText('Connection tested')).toBeVisible()
  await expect(add.getByRole('tab')).toHaveText(['Lead'])
  await expectAccessibleInBothThemes(page)
  await sendSigned(url, await bodyOf('typeform', '1-anna'), typeform)
  await expect(add.getByText('anna@buyer.example', { exact: true })).toBeVisible()
  await expect(add.getByText('These depend on your own form.')).toBeVisible()
  await add.getByLabel('Full name Path').fill('form_response.answers[field.ref=name].text')
  await expect(add.getByText('Anna Lind', { exact: true })).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await add.getByRole('button', { name: 'Dry run' }).click()
  await expect(statusMessage(page, 'Nothing was saved.')).toContainText('This sample would update an existing lead.')

  await add.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('menuitem', { name: 'Payment' }).click()
  await expect(add.getByRole('tab', { name: 'Payment' })).toHaveAttribute('aria-selected', 'true')
  await add.getByRole('button', { name: 'Dry run' }).click()
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(pageHeading(page, 'Our Typeform')).toBeFocused()
  await expect(page.getByRole('main')).toContainText('Typeform · Lead · Payment')
  await sendSigned(url, await bodyOf('typeform', '2-ben'), typeform)
  await page.reload()
  await expect(deliveryRows(page)).toHaveText([/Processed.*Lead/, /Processed.*Lead/])
  await deliveryRows(page).getByRole('link', { name: 'Lead' }).first().click()
  await expect(pageHeading(page, 'Ben Moss')).toBeVisible()
  expect(complaints).toEqual([])
})

test('WooCommerce makes a sale and its refunds of one delivery, each with its result', async ({ page, complaints }) => {
  await addJane()
  const shop = ['x-wc-webhook-signature', ''] as [string, string]
  const { add, url } = await beginWith(page, 'WooCommerce')
  await sendSigned(url, await bodyOf('woocommerce', '6-refunds'), shop)
  await expect(add.getByRole('tab')).toHaveText(['Sale', 'Refunds', 'Cancelled'])
  await add.getByRole('tab', { name: 'Refunds' }).click()
  await expect(add.getByRole('textbox', { name: 'For each item of' })).toHaveValue('refunds')
  await expect(add.getByText('-10.00', { exact: true }).or(add.getByText('-1000', { exact: true }))).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await add.getByRole('tab', { name: 'Refunds' }).press('ArrowLeft')
  await expect(add.getByRole('tab', { name: 'Sale' })).toBeFocused()
  await expect(add.getByRole('combobox', { name: 'Condition Path' }).first()).toHaveValue('date_paid')
  await add.getByRole('button', { name: 'Dry run' }).click()
  const answer = statusMessage(page, 'Nothing was saved.')
  await expect(answer.getByRole('listitem')).toHaveText([
    /^Sale: This sample’s sale is already recorded\. .*Jane Whitfield/,
    /^Refunds: This sample’s refund is already recorded\./,
    /^Refunds: This sample’s refund is already recorded\./,
  ])
  await expectAccessibleInBothThemes(page)

  await add.getByRole('tab', { name: 'Cancelled' }).click()
  await add.getByRole('button', { name: 'More options' }).last().click()
  await add.getByRole('textbox', { name: 'Rule Name' }).fill('')
  await add.getByRole('tab').first().click()
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Rule Name$/)
  await expect(add.getByRole('textbox', { name: 'Rule Name' })).toBeVisible()
  await add.getByRole('tab').first().click()
  await page.getByRole('alert').getByRole('link', { name: 'Rule Name' }).click()
  await expect(add.getByRole('textbox', { name: 'Rule Name' })).toBeFocused()
  await add.getByRole('button', { name: 'Remove rule' }).click()
  await expect(add.getByRole('tab')).toHaveText(['Sale', 'Refunds'])
  await expect(add.getByRole('tab', { name: 'Refunds' })).toBeFocused()
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(pageHeading(page, 'Our WooCommerce')).toBeFocused()

  await expect(deliveryRows(page)).toHaveText([/Processed.*Sale, Refund, Refund/])
  await deliveryRows(page).getByRole('link').first().click()
  const records = page.getByRole('region', { name: 'Records' })
  await expect(records.getByRole('listitem')).toHaveText([
    /^Sale: Created – Sale – /,
    /^Refunds: Created – Refund/,
    /^Refunds: Created – Refund/,
  ])
  await expectAccessibleInBothThemes(page)
  await page.getByRole('link', { name: 'Incoming Webhooks' }).first().click()
  await expect(page.getByRole('table', { name: 'Incoming Webhooks' }).locator('tbody tr')).toHaveText([
    /Our WooCommerce.*WooCommerce.*Active/,
  ])
  expect(complaints).toEqual([])
})

test('a form’s answers are mapped by guesses, tried out and become leads', async ({ page, complaints }) => {
  await addJane()
  await openAs(page, site, owner, list)
  await expect(page.getByText('No data to show')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await pressAction(page, 'Add incoming webhook')
  await expect(pageHeading(page, 'Add incoming webhook')).toBeFocused()
  const add = formNamed(page, 'Add incoming webhook')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Sender, Name$/)
  await add.getByLabel('Sender').selectOption('Another system')
  await add.getByLabel('Name', { exact: true }).fill('Demo form')
  await expectAccessibleInBothThemes(page)
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()

  await expect(page.getByText('Waiting for a sample…')).toBeVisible()
  const url = await add.getByLabel('Send a POST to').inputValue()
  await expect(page.getByRole('main')).toContainText(`curl ${url}`)
  await expect(add.getByRole('button', { name: 'Dry run' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await postPayload(url, aForm('hannah@customer.example'))

  await expect(add.getByLabel('Email Path')).toHaveValue('form_response.answers[field.ref=email].email')
  await expect(add.getByLabel('Partner Path')).toHaveValue('form_response.hidden.ref')
  await expect(add.getByLabel('Match Partner By')).toHaveValue('referralCode')
  await expect(add.getByLabel('Email Transform')).toHaveValue('lowercase')
  const sample = page.getByRole('list', { name: 'Sample' })
  await expect(sample.getByRole('listitem').filter({ hasText: 'hannah@customer.example' }).last()).toContainText(
    'Email',
  )
  const result = (text: string) => add.getByText(text, { exact: true })
  await expect(result('hannah@customer.example')).toBeVisible()
  await expect(result('Hannah')).toBeVisible()
  await add.getByRole('button', { name: 'More options' }).first().click()
  await add.getByLabel('Company Path').fill('form_response.company')
  await expect(result('Not in the sample')).toBeVisible()
  await expectAccessibleInBothThemes(page)

  await add.getByLabel('Company Transform').selectOption('Constant')
  await add.getByRole('button', { name: 'Dry run' }).click()
  const answer = statusMessage(page, 'This sample would add a lead.')
  await expect(answer).toContainText('Hannah Cole, for Jane Whitfield. Nothing was saved.')
  await expect(answer).toBeFocused()
  await expectAccessibleInBothThemes(page)
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Company Value$/)
  await add.getByLabel('Company Value').fill('Brightline')
  await add.getByLabel('Phone Path').fill('form..phone')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(add.getByLabel('Phone Path')).toHaveAccessibleDescription(/Enter a path such as contact.email/)
  expect(complaints.splice(0)).toEqual([expect.stringContaining('422')])
  await add.getByLabel('Phone Path').fill('')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()

  await expect(pageHeading(page, 'Demo form')).toBeFocused()
  await expect(statusMessage(page, 'Incoming webhook saved')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Active')
  await postPayload(url, aForm('lena@customer.example'))
  await page.reload()
  await expect(deliveryRows(page)).toHaveText([/Processed.*Lead/, /Ignored.*Saved as a sample/])
  await expectAccessibleInBothThemes(page)
  await deliveryRows(page).getByRole('link', { name: 'Lead' }).click()
  await expect(pageHeading(page, 'Hannah Cole')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Jane Whitfield')
  expect(complaints).toEqual([])
})
