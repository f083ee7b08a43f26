process.env.RUNS ??= '100'
await import('./files.test.ts')
