process.env.RUNS ??= '200'
await import('./returning-lives.test.ts')
