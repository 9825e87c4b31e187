import os

from pet_store_service_client import AuthenticatedClient
from pet_store_service_client.api.pets import create_pet
from pet_store_service_client.models import NewPet

client = AuthenticatedClient(base_url=os.environ["PETSTORE_URL"], token=os.environ["PETSTORE_KEY"])
pet = create_pet.sync(client=client, body=NewPet(name="Generated", category_id=9007199254740993))
print(pet.name, pet.category_id, pet.status.value)
