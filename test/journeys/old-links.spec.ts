import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buttonNamed, chooseFile } from '../support/imports-screens.ts'
import { expectAccessibleInBothThemes, openAs, pageHeading, showOptions } from '../support/journey.ts'
import { aBlueprint } from '../support/links.ts'
import { callAsOwner, owner, prepareOwner, site } from '../support/owner-fixture.ts'
import { expect, test } from '../support/test.ts'

// An owner moves here from another program, and a visitor comes by one of its links.

prepareOwner()

const keys = ['firstName', 'lastName', 'email', 'phone', 'fieldsContainer', 'submitButton']
const config = Object.fromEntries(keys.map((key) => [key, { key, selectorType: 'default', selectorValue: '' }]))
const affiliates = `email,token,name,status
sam@ortiz.example,Sam_O,Sam Ortiz,active
eve@hill.example,eve-hill,Eve Hill,active`

test('after the import of partners, their old links credit them', async ({ page, complaints }) => {
  await callAsOwner('PUT', `/accounts/${owner.id}/embed-code`, { config })
  await aBlueprint(site, owner, { destinationUrl: 'https://shop.example.com/' })
  const { publicId } = await callAsOwner('GET', `/accounts/${owner.id}`)
  const shop = createServer((_, answer) =>
    answer.setHeader('content-type', 'text/html').end(
      `<!doctype html><html lang="en"><title>Shop</title><script async src="${site.url}/embed/${publicId}.js"></script>
        <form onsubmit="return false"><label>Email <input type="email" name="email"></label><button>Send</button></form>`,
    ),
  )
  await new Promise<void>((resolve) => shop.listen(0, 'localhost', resolve))
  const address = `http://localhost:${(shop.address() as AddressInfo).port}`

  await openAs(page, site, owner, '/account/import?kind=partners')
  await expect(page.getByRole('link', { name: 'Moving from another program' })).toHaveAttribute('href', '/docs/moving')
  await chooseFile(page, 'affiliates.csv', affiliates)
  await buttonNamed(page, 'Check file').click()
  await buttonNamed(page, 'Import 2 partners').click()
  await buttonNamed(page, 'Old links').click()

  await expect(pageHeading(page, 'Settings')).toBeVisible()
  await expect(page.getByLabel('Moving From')).toHaveValue('rewardful')
  await expect(page.getByRole('button', { name: 'Remove via' })).toBeVisible()
  await page.getByLabel('Moving From').selectOption('PartnerStack')
  await expect(page.getByLabel('Moving From')).toHaveAccessibleDescription(/the word before the = sign/)
  const parameters = page.getByLabel('Parameters of Old Links')
  await parameters.fill('a b?')
  await parameters.press('Enter')
  await buttonNamed(page, 'Save changes').click()
  await expect(parameters).toHaveAccessibleDescription(/Use 1 to 32 letters/)
  await page.getByRole('button', { name: 'Remove b?' }).click()
  await expectAccessibleInBothThemes(page)
  await buttonNamed(page, 'Save changes').click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  expect((await callAsOwner('GET', `/accounts/${owner.id}`)).oldLinkParameters).toEqual(['via', 'a'])

  const { items } = await callAsOwner('GET', `/accounts/${owner.id}/partners?search=sam@ortiz.example`)
  const sam = items[0]
  expect([sam.referralCode, sam.earlierCodes]).toEqual(['sam-ortiz', ['sam_o']])
  await page.goto(`${site.url}/partners/${sam.id}/update`)
  await showOptions(page)
  const codes = page.getByLabel('Earlier Codes')
  await codes.fill('eve-hill')
  await codes.press('Enter')
  await buttonNamed(page, 'Save changes').click()
  await expect(codes).toHaveAccessibleDescription(/Another partner has the code eve-hill/)
  await page.getByRole('button', { name: 'Remove eve-hill' }).click()
  await codes.fill('S. Ortiz')
  await expectAccessibleInBothThemes(page)
  await buttonNamed(page, 'Save changes').click()
  await expect(page.getByText('Partner saved')).toBeVisible()

  for (const [code, email] of [
    ['Sam_O', 'lee@visitor.example'],
    ['s.%20ortiz', 'kit@visitor.example'],
  ] as const) {
    const counted = page.waitForResponse(/\/clicks$/)
    await page.goto(`${address}/?via=${code}`)
    await counted
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send' }).click()
    await expect
      .poll(async () => (await callAsOwner('GET', `/accounts/${owner.id}/leads?search=${email}`)).items[0]?.partnerId)
      .toBe(sam.id)
  }
  shop.close()
  // the refused code
  expect(complaints.filter((one) => !one.includes('409'))).toEqual([])
})
