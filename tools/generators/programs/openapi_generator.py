import os

import openapi_client

configuration = openapi_client.Configuration(
    host=os.environ["PETSTORE_URL"], access_token=os.environ["PETSTORE_KEY"]
)
with openapi_client.ApiClient(configuration) as client:
    body = openapi_client.NewPet(name="Generated", category_id=9007199254740993)
    pet = openapi_client.PetsApi(client).create_pet(body)
print(pet.name, pet.category_id, pet.status.value)
