import { readConfig } from '../platform/config/config.ts'
import { describeCalls } from '../platform/http/api-docs.ts'
import { type Define, reporting } from './command.ts'

export const define: Define = (program) =>
  program
    .command('openapi')
    .description('Print the OpenAPI 3.1 document of all calls, as GET /api/v1/openapi.json answers it.')
    .action(
      reporting(async () => {
        const document = describeCalls(readConfig(process.env))
        return { lines: [JSON.stringify(document, null, 2)], json: document }
      }),
    )
