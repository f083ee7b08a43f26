import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { endpoints } from '../../contract/index.ts'
import { openApiDocument } from '../../server/platform/http/openapi.ts'
import { buildApi } from './api.ts'

// `npm run generate:client`: generates the client from the OpenAPI document, in TypeScript and in its published form.

const root = fileURLToPath(new URL('../', import.meta.url))
const document = openApiDocument(endpoints, { appUrl: '', environment: 'local', version: '' })
writeFileSync(`${root}src/api.ts`, buildApi(document))
execFileSync(fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url)), ['-p', root], { stdio: 'inherit' })
