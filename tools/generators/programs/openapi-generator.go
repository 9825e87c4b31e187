package main

import (
	"context"
	"fmt"
	"os"

	petstore "github.com/GIT_USER_ID/GIT_REPO_ID"
)

func main() {
	configuration := petstore.NewConfiguration()
	configuration.Servers = petstore.ServerConfigurations{{URL: os.Getenv("PETSTORE_URL")}}
	client := petstore.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), petstore.ContextAccessToken, os.Getenv("PETSTORE_KEY"))
	pet, _, err := client.PetsAPI.CreatePet(ctx).PetInput(*petstore.NewPetInput("Generated", 9007199254740993)).Execute()
	if err != nil {
		panic(err)
	}
	fmt.Println(pet.Name, pet.CategoryId, *pet.Status)
}
