process.env.RUNS ??= '25'
await import('./books-lives.test.ts')
