/** How a generator is installed, where its result takes a program, and how both are compiled and run. */

const MAVEN = 'mvn -q -B';

const npm = (name, program, peers = '') => ({
  install: `npm init -y > npm.log && npm install --no-audit --no-fund "${name}@$VERSION" ${peers} >> npm.log 2>&1`,
  program,
  at: 'program.ts',
  compile: `npm install --no-audit --no-fund @types/node@20 >> npm.log 2>&1
    "$TSC" program.ts --strict --skipLibCheck --types node --lib es2022,dom,dom.iterable --target es2022 \
      --module commonjs --moduleResolution bundler --outDir out
    node out/program.js`,
});

const go = (module) => `go install "${module}@v$VERSION"`;

/** For programs in a package beside the generated one. */
const GO_RUN = 'go mod tidy && go run ./program';

const openapiGenerator = (recipe) => ({
  ...recipe,
  install: `${MAVEN} dependency:get -Dtransitive=false -Dartifact=org.openapitools:openapi-generator-cli:$VERSION
    ${MAVEN} dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:$VERSION -DoutputDirectory=bin
    printf '#!/bin/sh\\nexec java -jar %s "$@"\\n' "$PWD/bin/openapi-generator-cli-$VERSION.jar" > bin/openapi-generator
    chmod +x bin/openapi-generator
    ${recipe.install ?? ''}`,
});

/** Files beside the document, before the command runs. */
export const PREPARED = { 'go.mod': 'module example.com/shop\n\ngo 1.24\n' };

/** By the name in the guide's table. */
export const RECIPES = {
  'openapi-typescript': npm('openapi-typescript', 'openapi-typescript.ts'),
  'swagger-typescript-api': npm('swagger-typescript-api', 'swagger-typescript-api.ts'),
  '@hey-api/openapi-ts': npm('@hey-api/openapi-ts', 'openapi-ts.ts', 'typescript@6'),
  orval: npm('orval', 'orval.ts'),
  'openapi-generator/typescript-fetch': openapiGenerator({
    ...npm('', 'typescript-fetch.ts'),
    install: 'npm init -y > npm.log',
  }),
  'oapi-codegen': {
    install: go('github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen'),
    program: 'oapi-codegen.go',
    at: 'program/main.go',
    compile: `mkdir -p petstore && mv petstore.go petstore\n${GO_RUN}`,
  },
  ogen: {
    install: go('github.com/ogen-go/ogen/cmd/ogen'),
    program: 'ogen.go',
    at: 'program/main.go',
    compile: GO_RUN,
  },
  'openapi-generator/go': openapiGenerator({
    program: 'openapi-generator.go',
    at: 'petstore/program/main.go',
    compile: `cd petstore\n${GO_RUN}`,
  }),
  'openapi-generator/java': openapiGenerator({
    program: 'Program.java',
    at: 'petstore/src/main/java/Program.java',
    compile: `cd petstore
      ${MAVEN} compile dependency:build-classpath -Dmdep.outputFile=classpath.txt
      java -cp "target/classes:$(cat classpath.txt)" Program`,
  }),
  'openapi-generator/python': openapiGenerator({
    program: 'openapi_generator.py',
    at: 'program.py',
    install: 'python3 -m venv venv',
    compile: 'pip install -q ./petstore && python program.py',
  }),
  'openapi-python-client': {
    install: 'python3 -m venv venv && pip install -q "openapi-python-client==$VERSION"',
    program: 'openapi_python_client.py',
    at: 'program.py',
    compile: 'pip install -q ./pet-store-service-client && python program.py',
  },
};
