import { form, list, press, rows, said, send } from '../support/incoming-webhooks-screens.ts'
import { enter, expectAccessibleInBothThemes, heading } from '../support/journey.ts'
import { api, owner, prepareOwner, site } from '../support/one-owner.ts'
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
test('a form’s answers are mapped by guesses, tried out and become leads', async ({ page, complaints }) => {
  await api('POST', `/accounts/${owner.id}/partners`, {
    firstName: 'Jane',
    lastName: 'Whitfield',
    email: 'jane@partner.example',
    referralCode: 'jane',
  })
  await enter(page, site, owner, list)
  await expect(page.getByText('No data to show')).toBeVisible()
  await expectAccessibleInBothThemes(page)
  await press(page, 'Add incoming webhook')
  await expect(heading(page, 'Add incoming webhook')).toBeFocused()
  const add = form(page, 'Add incoming webhook')
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()
  await expect(page.getByRole('alert')).toHaveText(/^Check the marked fields: Name$/)
  await add.getByLabel('Name', { exact: true }).fill('Demo form')
  await expectAccessibleInBothThemes(page)
  await add.getByRole('button', { name: 'Add incoming webhook' }).click()

  await expect(page.getByText('Waiting for a sample…')).toBeVisible()
  const url = await add.getByLabel('Send a POST to').inputValue()
  await expect(page.getByRole('main')).toContainText(`curl ${url}`)
  await expect(add.getByRole('button', { name: 'Dry run' })).toBeDisabled()
  await expectAccessibleInBothThemes(page)
  await send(url, aForm('hannah@customer.example'))

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
  await add.getByLabel('Company Path').fill('form_response.company')
  await expect(result('Not in the sample')).toBeVisible()
  await expectAccessibleInBothThemes(page)

  await add.getByLabel('Company Transform').selectOption('Constant')
  await add.getByRole('button', { name: 'Dry run' }).click()
  const answer = said(page, 'This sample would add a lead.')
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

  await expect(heading(page, 'Demo form')).toBeFocused()
  await expect(said(page, 'Incoming webhook saved')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Active')
  await send(url, aForm('lena@customer.example'))
  await page.reload()
  await expect(rows(page)).toHaveText([/Processed.*Lead/, /Ignored.*Saved as a sample/])
  await expectAccessibleInBothThemes(page)
  await rows(page).getByRole('link', { name: 'Lead' }).click()
  await expect(heading(page, 'Hannah Cole')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Jane Whitfield')
  expect(complaints).toEqual([])
})
