import { failOnPageErrors } from '../support/browser.ts'
import { failureMessage, listScreens, loadingMarks } from '../support/intercept-calls.ts'
import { atRest, openAs, pageHeading, visitPath } from '../support/journey.ts'
import { answerAsIcu72 } from '../support/other-locales.ts'
import { fillPath, roles } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

// Every screen in a browser whose locales write days otherwise, as WebKit's do on Debian 12.

for (const role of roles)
  test(`no screen of the ${role} reads a day from the text of a locale`, async ({ page, populated }) => {
    const complaints = await failOnPageErrors(page)
    await page.addInitScript(answerAsIcu72)
    await openAs(page, populated.site, populated[role])
    for (const { path, h1, isGone } of listScreens(role)) {
      await visitPath(page, fillPath(path, populated.things))
      await expect(pageHeading(page, h1)).toBeVisible()
      await expect(loadingMarks(page)).toHaveCount(0)
      await atRest(page)
      if (!isGone) await expect(failureMessage(page), path).toHaveCount(0)
      await expect(page.getByText(/NaN|Invalid Date/), path).toHaveCount(0)
    }
    expect(complaints.filter((complaint) => complaint.startsWith('exception'))).toEqual([])
  })
