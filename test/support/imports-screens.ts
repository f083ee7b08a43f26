import type { Page } from '@playwright/test'
import { expect } from './test.ts'

export async function chooseFile(page: Page, name: string, content: string | Buffer) {
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) })
  await expect(page.getByRole('table', { name: 'Columns', exact: true })).toBeVisible()
}

export const buttonNamed = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('button', { name })

export const kindField = (page: Page) => page.getByLabel('Data type', { exact: true }).and(page.locator('select'))

export const dubCommissions = `id,type,amount,earnings,currency,status,invoiceId,quantity,createdAt,partnerEmail,customerEmail
cm_1,sale,"$1,000.00",$200.00,usd,paid,in_1,1,2025-05-06T10:00:00.000Z,ann@dub.example,dot@customers.example
cm_2,sale,$500.00,$100.00,usd,processed,in_2,1,2025-06-06T10:00:00.000Z,ann@dub.example,dot@customers.example`
